/**
 * The rows of an entity, read, for who holds `ROLE_SVC_DATA` besides the role of the admin plane. Off until the
 * operator says so; each look is audited. Fields of secrets are neither read, nor filtered or sorted by.
 */
import type { FastifyInstance } from 'fastify'
import { adminRoute, type RouteError, strictQuery } from 'svc-kernel/plugin'
import { ConnectionUnavailable } from 'svc-stores'
import { isRecord } from 'svc-stores/table'
import type { CompiledEntity } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import {
  ConnectorNotFound,
  EntityNotFound,
  InvalidCriteria,
  InvalidFindOptions,
  RowsOff,
  UnknownCriteriaField
} from '../errors.ts'
import type { OrmPort } from '../registry/orm-port.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import { rows as rowsAnswer } from './answers.ts'
import { auditRows } from './row-audit.ts'
import { isMasked, rowView, shownFields } from './row-view.ts'

const DEFAULT_ROWS = 50
export const MAX_ROWS = 100

const FILTER = 'a JSON object of fields and the values that they hold, such as {"status":"open"}'
const ORDER = 'a visible field that is never null, followed by `:ASC` or `:DESC`'

/** Of each route of rows. */
export const ofConnector = {
  type: 'object',
  additionalProperties: false,
  properties: {
    connector: {
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'default: the first connector that has the entity'
    }
  }
} as const

const querystring = {
  ...ofConnector,
  properties: {
    ...ofConnector.properties,
    limit: { type: 'integer', minimum: 1, maximum: MAX_ROWS, default: DEFAULT_ROWS },
    after: { type: 'string', maxLength: 4096, description: '`next` of the previous page, with the same order' },
    where: { type: 'string', maxLength: 4096, description: FILTER },
    order: { type: 'string', maxLength: 200, description: `${ORDER}; default: by id` }
  }
} as const

const params = { type: 'object', properties: { name: { type: 'string', maxLength: 100 } } } as const

const MISTAKES: readonly RouteError[] = [
  new InvalidCriteria('where', FILTER),
  new InvalidFindOptions('order', ORDER),
  new UnknownCriteriaField('where', 'an entity', 'its fields')
]

interface RowsRequest {
  Params: { name: string }
  Querystring: { connector?: string; limit: number; after?: string; where?: string; order?: string }
}

export interface RowsParts {
  readonly registry: OrmPort
  /** `false`: the route answers 404. */
  readonly rows: boolean
  /** The connectors that a request asks for. */
  readonly chosen: (request: { readonly query: { connector?: string } }) => readonly OrmConnector[]
}

/** @param path of the admin plane */
export function rowsRoute(fastify: FastifyInstance, path: string, { registry, rows, chosen }: RowsParts): void {
  const options = {
    ...adminRoute('svc.orm.rows', 'ROLE_SVC_DATA'),
    preValidation: strictQuery(Object.keys(querystring.properties)),
    schema: {
      querystring,
      params,
      response: { 200: rowsAnswer },
      errors: [RowsOff, EntityNotFound, ConnectorNotFound, ConnectionUnavailable, ...MISTAKES]
    }
  }
  fastify.get<RowsRequest>(`${path}/entities/:name/rows`, options, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!rows) throw new RowsOff()
    const { params: asked, query } = request
    const found = entityOf(registry, chosen(request), asked.name)
    if (found === null) throw new EntityNotFound()
    const { entity, connector } = found
    const where = readWhere(entity, query.where)
    const order = readOrder(entity, query.order)
    const fields = shownFields(entity)
    const read = () =>
      registry
        .repository<AnyRow>(entity.name, connector)
        .page(where, { limit: query.limit, after: query.after, order, select: fields.map(({ name }) => name) })
    const page = await asAdministrator(registry, entity, 'shown to', read)
    auditRows(request, 'data.viewed', `${connector}.${entity.name}`, {
      where: Object.keys(where),
      order,
      rows: page.items.length
    })
    return {
      connector,
      entity: entity.name,
      fields: fields.map(({ name }) => name),
      masked: [...entity.fields.values()].filter(isMasked).map(({ name }) => name),
      items: page.items.map((row) => rowView(row, fields)),
      next: page.next
    }
  })
}

/** Rows of an entity with a scope: administrators see those of all. @param what is done to them, for the journal */
export function asAdministrator<T>(
  registry: OrmPort,
  { name, scope }: CompiledEntity,
  what: string,
  work: () => Promise<T>
): Promise<T> {
  return scope === undefined ? work() : registry.acrossScopes(`rows of ${name} are ${what} an administrator`, work)
}

/** The first connector that has it. */
export function entityOf(registry: OrmPort, connectors: readonly OrmConnector[], name: string) {
  for (const connector of connectors) {
    const entity = registry.entities(connector.name).find((each) => each.name === name)
    if (entity !== undefined) return { entity, connector: connector.name }
  }
  return null
}

/** A value of a request is a value, never operators. @throws InvalidCriteria, UnknownCriteriaField */
function readWhere(entity: CompiledEntity, given: string | undefined): Readonly<Record<string, { $eq: unknown }>> {
  if (given === undefined) return {}
  const filter = parsed(given)
  if (!isRecord(filter)) throw new InvalidCriteria('where', FILTER)
  const criteria = Object.entries(filter).map(([name, value]) => {
    shownField(entity, name)
    if (typeof value === 'object' && value !== null) throw new InvalidCriteria(name, 'a plain value or null')
    return [name, { $eq: value }] as const
  })
  return Object.fromEntries(criteria)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @throws InvalidFindOptions, UnknownCriteriaField */
function readOrder(entity: CompiledEntity, given: string | undefined): readonly (readonly [string, 'ASC' | 'DESC'])[] {
  if (given === undefined) return []
  const colon = given.lastIndexOf(':')
  const [name, direction] = [given.slice(0, colon), given.slice(colon + 1)]
  if (colon === -1 || (direction !== 'ASC' && direction !== 'DESC')) throw new InvalidFindOptions('order', ORDER)
  shownField(entity, name)
  return [[name, direction]]
}

/** What a secret is equal to, or comes before, tells it in the end. @throws UnknownCriteriaField */
function shownField(entity: CompiledEntity, name: string): void {
  const known = shownFields(entity).map((field) => field.name)
  if (!known.includes(name)) throw new UnknownCriteriaField(name, entity.name, known.join(', '))
}
