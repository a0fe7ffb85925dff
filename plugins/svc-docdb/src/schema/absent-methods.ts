/** Kinds of index that documents do not have: the application runs without, and reads more. The boot says so. */
import type { FastifyBaseLogger } from 'fastify'
import type { CompiledEntity } from 'svc-orm/driver'

/** An index looks into a list as it is; nothing finds the parts of a text, or of JSON. */
export function tellAbsentMethods(
  entities: readonly CompiledEntity[],
  connection: { readonly name: string; readonly log: FastifyBaseLogger }
): void {
  for (const { name, fields, indexes } of entities) {
    for (const { fields: names, method } of indexes) {
      const [field = ''] = names
      if (method === undefined || (method === 'gin' && fields.get(field)?.array === true)) continue
      const message = `${name} (${field}): documents have no ${method} index of it, so criteria on it read every document`
      connection.log.info({ code: 'SVC_DOCDB_METHOD', connector: connection.name }, message)
    }
  }
}
