/** Gives a Fastify instance its TLS port. Both ports stop together: neither cuts a request, and modules close after both. */
import type { FastifyInstance } from 'fastify'
import type { Application } from '../modules/application.ts'
import { closeGraceMs } from './http.ts'
import { httpsCertificate } from './https-certificate.ts'
import { releaseConnections } from './release-connections.ts'
import { TlsListener } from './tls-listener.ts'

/**
 * Call when the modules are registered and before `ready()`, so that their `onClose` follows.
 *
 * @throws BootError SVC_HTTPS_CERTIFICATE
 */
export async function attachTls(fastify: FastifyInstance, app: Application): Promise<TlsListener> {
  const tls = new TlsListener(await httpsCertificate(app), fastify.server)
  let closed = Promise.resolve()
  releaseConnections(fastify, { server: tls.server, graceMs: closeGraceMs(app) })
  fastify.addHook('preClose', async () => {
    // Not awaited here: the hooks that follow close the WebSockets it waits for.
    closed = tls.close()
    if (app.config.server?.forceCloseConnections === true) tls.cut()
  })
  fastify.addHook('onClose', () => closed)
  return tls
}
