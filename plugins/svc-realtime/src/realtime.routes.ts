/** The one route of the plugin: the WebSocket. Who may open it is the firewall's question; a plain request gets 426. */
import type {} from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { UpgradeRequired } from 'svc-decorators'
import type { RouteSecurity } from 'svc-kernel'
import { Connection, type ConnectionParts } from './connection/connection.ts'

const security: RouteSecurity = Object.freeze({
  name: 'svc.realtime',
  requirement: null,
  anonymous: false,
  bypassFirewall: false,
  transports: Object.freeze(['WEBSOCKET'] as const),
  source: null
})

export function realtimeRoute(fastify: FastifyInstance, path: string, parts: ConnectionParts): void {
  fastify.route({
    method: 'GET',
    url: path,
    exposeHeadRoute: false,
    config: { svc: security },
    handler: (_request, reply) => {
      reply
        .header('upgrade', 'websocket')
        .header('connection', reply.raw.shouldKeepAlive ? 'upgrade' : 'upgrade, close')
      throw new UpgradeRequired(path)
    },
    wsHandler: (socket, request) => {
      new Connection(parts, socket, request)
    }
  })
}
