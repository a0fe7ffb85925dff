/**
 * The views of the database for administrators: what is stored where, how it fares, and its model as text. The guard
 * travels with each route, so that where no firewall and no jury let an administrator in they answer 403.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { adminRoute, type RouteError, strictQuery } from 'svc-kernel/plugin'
import { object } from 'svc-kernel/schemas'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import { entityPlan } from '../entities/entity-plan.ts'
import { ConnectorNotFound, EntityNotFound, UnknownExportFormat } from '../errors.ts'
import { type ExportedConnector, toDbml } from '../export/to-dbml.ts'
import { toJsonSchema } from '../export/to-json-schema.ts'
import type { OrmPort } from '../registry/orm-port.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import type { FlowSettings } from '../repository/flow-statistics.ts'
import type { CallerScopes } from '../scope/caller-scopes.ts'
import { connectorView, countRows, flowView, healthView, lockViews } from './admin-views.ts'
import * as answers from './answers.ts'
import { entityView } from './entity-view.ts'
import { rowChangeRoutes } from './row-changes.routes.ts'
import { rowsRoute } from './rows.routes.ts'
import { schemaView } from './schema-view.ts'

/** svc-security holds `/svc/<plugin>/api` in its own zone: these routes have an identity without configuration. */
const ORM_API = '/svc/orm/api'

const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: { connector: { type: 'string', minLength: 1, maxLength: 100 } }
} as const

const entityParams = object({ name: { type: 'string', maxLength: 100 } })
const exportParams = object({ format: { type: 'string', maxLength: 100 } })

export interface AdminPlaneParts {
  readonly registry: OrmPort
  readonly flow: FlowSettings
  readonly clock: { now(): number }
  /** Whether rows are shown. */
  readonly rows: boolean
  /** Whether rows can be changed. */
  readonly write: boolean
  readonly scopes: Pick<CallerScopes, 'across'>
}

interface AdminRequest {
  Querystring: { connector?: string }
  Params: { name: string; format: string }
}

const WRITERS: Readonly<Record<string, (connectors: readonly ExportedConnector[]) => string>> = {
  dbml: toDbml,
  jsonschema: toJsonSchema
}

/** People write `DBML`, `json-schema` and `JSON Schema`. */
function formatOf(given: string): string {
  return given.toLowerCase().replaceAll(/[^a-z]/g, '')
}

export function adminPlane(
  fastify: FastifyInstance,
  { registry, flow, clock, rows, write, scopes }: AdminPlaneParts
): void {
  const view = (path: string, name: string, schema: ViewSchema, read: (request: Asked) => unknown) =>
    fastify.get<AdminRequest>(`${ORM_API}/${path}`, viewRoute(name, schema), async (request, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store')
      return read({ params: request.params, connectors: chosen(registry, request.query) })
    })
  const orms = ({ connectors }: Asked) => connectors.map((each) => describe(registry, each))
  const entities = ({ connectors }: Asked) =>
    connectors.flatMap((connector) => {
      const all = registry.entities(connector.name)
      return all.map((entity) => entityView(entity, connector.name, connector.storedAs(entityPlan(entity)), all))
    })

  view('orms', 'orms', { answer: answers.orms }, orms)
  view('entities', 'entities', { answer: answers.entities }, entities)
  view(
    'entity/:name',
    'entity',
    { answer: answers.entity, params: entityParams, errors: [EntityNotFound] },
    (asked) => {
      const found = entities(asked).find(({ name }) => name === asked.params.name)
      if (found === undefined) throw new EntityNotFound()
      return found
    }
  )
  view('graph', 'graph', { answer: answers.graph }, (asked) => ({ orms: orms(asked), entities: entities(asked) }))
  view('counts', 'counts', { answer: answers.counts }, ({ connectors }) =>
    scopes.across(() => countRows(registry, connectors))
  )
  view('connection/health', 'health', { answer: answers.health }, ({ connectors }) =>
    Promise.all(connectors.map((each) => healthView(each, registry.flow(each.name).latency())))
  )
  view('schema', 'schema', { answer: answers.schemaStates }, ({ connectors }) =>
    Promise.all(connectors.map((each) => schemaView(each, registry.entities(each.name), registry.migrations)))
  )
  view('flow', 'flow', { answer: answers.flow }, ({ connectors }) => flowView(registry, connectors, flow, clock.now()))
  view('locks', 'locks', { answer: answers.locks }, ({ connectors }) => lockViews(registry, connectors))
  view(
    'export/:format',
    'export',
    { answer: answers.exported, params: exportParams, errors: [UnknownExportFormat] },
    ({ connectors, params }) => {
      const format = formatOf(params.format)
      const write = Object.hasOwn(WRITERS, format) ? WRITERS[format] : undefined
      if (write === undefined) throw new UnknownExportFormat(Object.keys(WRITERS).join(' or '))
      const exported = connectors.map((connector) => ({
        name: connector.name,
        entities: registry.entities(connector.name),
        storedAs: (entity: CompiledEntity) => connector.storedAs(entityPlan(entity))
      }))
      return { format, content: write(exported) }
    }
  )
  const ofRows = {
    registry,
    rows,
    write,
    chosen: (request: { query: { connector?: string } }) => chosen(registry, request.query)
  }
  rowsRoute(fastify, ORM_API, ofRows)
  rowChangeRoutes(fastify, ORM_API, ofRows)
}

interface Asked {
  readonly params: AdminRequest['Params']
  readonly connectors: readonly OrmConnector[]
}

/** All connectors, or the one that the request names. */
function chosen(registry: OrmPort, { connector }: AdminRequest['Querystring']): readonly OrmConnector[] {
  if (connector === undefined) return registry.connectors()
  const found = registry.connectors().filter(({ name }) => name === connector)
  if (found.length === 0) throw new ConnectorNotFound()
  return found
}

function describe(registry: OrmPort, connector: OrmConnector) {
  const entities: readonly CompiledEntity[] = registry.entities(connector.name)
  return connectorView(connector, registry.connectors()[0] === connector, entities.length)
}

interface ViewSchema {
  readonly answer: object
  readonly params?: object
  readonly errors?: readonly RouteError[]
}

/** Route options of a view. @param name what reports call it */
function viewRoute(name: string, { answer, errors = [], ...parts }: ViewSchema) {
  return {
    ...adminRoute(`svc.orm.${name}`),
    preValidation: strictQuery(Object.keys(querystring.properties)),
    schema: { querystring, ...parts, response: { 200: answer }, errors: [ConnectorNotFound, ...errors] }
  }
}
