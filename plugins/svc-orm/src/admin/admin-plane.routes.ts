/** The views of the database for administrators: what is stored where, how it fares, and its model as text. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OrmConnector } from '../driver/orm-connector.ts'
import type { CompiledEntity } from '../entity/compiled-entity.ts'
import { NoSuchConnector, NoSuchEntity, UnknownExportFormat } from '../errors.ts'
import { type ExportedConnector, toDbml } from '../export/to-dbml.ts'
import { toJsonSchema } from '../export/to-json-schema.ts'
import type { OrmPort } from '../registry/orm-port.ts'
import type { FlowSettings } from '../statistics/flow-statistics.ts'
import { adminRoute, ORM_API } from './admin-route.ts'
import * as schemas from './admin-schemas.ts'
import { connectorView, flowView, healthView } from './connector-views.ts'
import { countRows } from './count-rows.ts'
import { entityView } from './entity-view.ts'

export interface AdminPlaneParts {
  readonly registry: OrmPort
  readonly flow: FlowSettings
  readonly clock: { now(): number }
}

interface AdminRequest {
  Querystring: { connector?: string }
  Params: { name: string; format: string }
}

const WRITERS: Readonly<Record<string, (connectors: readonly ExportedConnector[]) => string>> = {
  dbml: toDbml,
  jsonschema: toJsonSchema
}

export function adminPlane(fastify: FastifyInstance, { registry, flow, clock }: AdminPlaneParts): void {
  const view = (path: string, name: string, answer: object, read: (request: Asked) => unknown) =>
    fastify.get<AdminRequest>(`${ORM_API}/${path}`, adminRoute(name, answer), async (request, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store')
      return read({ params: request.params, connectors: chosen(registry, request) })
    })
  const orms = ({ connectors }: Asked) => connectors.map((each) => describe(registry, each))
  const entities = ({ connectors }: Asked) =>
    connectors.flatMap(({ name }) => registry.entities(name).map((entity) => entityView(entity, name)))

  view('orms', 'orms', schemas.ormsSchema, orms)
  view('entities', 'entities', schemas.entitiesSchema, entities)
  view('entity/:name', 'entity', schemas.entitySchema, (asked) => {
    const found = entities(asked).find(({ name }) => name === asked.params.name)
    if (found === undefined) throw new NoSuchEntity()
    return found
  })
  view('graph', 'graph', schemas.graphSchema, (asked) => ({ orms: orms(asked), entities: entities(asked) }))
  view('counts', 'counts', schemas.countsSchema, ({ connectors }) => countRows(registry, connectors))
  view('connection/health', 'health', schemas.healthSchema, ({ connectors }) => Promise.all(connectors.map(healthView)))
  view('flow', 'flow', schemas.flowSchema, ({ connectors }) => flowView(connectors, flow, clock.now()))
  view('export/:format', 'export', schemas.exportSchema, ({ connectors, params: { format } }) => {
    const write = Object.hasOwn(WRITERS, format) ? WRITERS[format] : undefined
    if (write === undefined) throw new UnknownExportFormat(Object.keys(WRITERS).join(' or '))
    const exported = connectors.map((connector) => ({
      name: connector.name,
      entities: registry.entities(connector.name),
      storedAs: (entity: CompiledEntity) => connector.storedAs?.(entity) ?? entity.table
    }))
    return { format, content: write(exported) }
  })
}

interface Asked {
  readonly params: AdminRequest['Params']
  readonly connectors: readonly OrmConnector[]
}

/** All connectors, or the one that is asked for. */
function chosen(registry: OrmPort, { query }: FastifyRequest<AdminRequest>): readonly OrmConnector[] {
  const { connector } = query
  if (connector === undefined) return registry.connectors()
  const found = registry.connectors().filter(({ name }) => name === connector)
  if (found.length === 0) throw new NoSuchConnector()
  return found
}

function describe(registry: OrmPort, connector: OrmConnector) {
  const entities: readonly CompiledEntity[] = registry.entities(connector.name)
  return connectorView(connector, registry.connectors()[0] === connector, entities.length)
}
