/** `debug: true`: each command at debug level, by collection and duration. Never a value: documents hold secrets. */
import type { FastifyBaseLogger } from 'fastify'
import type { DocumentConnection } from './document-connection.ts'

/** Commands by which the driver keeps the connection up. */
const HOUSEKEEPING = new Set(['hello', 'ping', 'endSessions', 'buildInfo', 'isMaster'])

export function watchOperations(connection: DocumentConnection, log: FastifyBaseLogger): void {
  const collections = new Map<number, string>()
  connection.client.on('commandStarted', ({ requestId, commandName, command }) => {
    const collection: unknown = command[commandName]
    if (typeof collection === 'string') collections.set(requestId, collection)
  })
  const ended = (outcome: string) => (event: { requestId: number; commandName: string; duration: number }) => {
    const collection = collections.get(event.requestId)
    collections.delete(event.requestId)
    if (HOUSEKEEPING.has(event.commandName)) return
    const { commandName: command, duration: ms } = event
    log.debug({ connector: connection.name, command, collection, ms, outcome }, 'document operation')
  }
  connection.client.on('commandSucceeded', ended('succeeded'))
  connection.client.on('commandFailed', ended('failed'))
}
