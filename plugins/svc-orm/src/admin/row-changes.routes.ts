/**
 * One row of an entity: read whole, created, changed and deleted by administrators who hold `ROLE_SVC_DATA_WRITE` as well.
 * Off until the operator says so. Hooks, rules and versions count as in a change of the application. Each change is
 * audited with what it changed, before and after; fields of secrets can be neither read nor written.
 */
import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { decoratorOf } from 'svc-kernel'
import { adminChangeBesides, adminRoute, type RouteError, strictQuery } from 'svc-kernel/plugin'
import { object } from 'svc-kernel/schemas'
import { ConnectionUnavailable, ReferencedRow, ReferenceMissing, UniqueViolation } from 'svc-stores'
import type { Transaction } from 'svc-stores/table'
import type { CompiledEntity, CompiledField } from '../entities/compiled-entity.ts'
import type { AnyRow } from '../entities/row-of.ts'
import {
  ConnectorNotFound,
  EntityNotFound,
  HiddenRequired,
  ReadOnlyEntity,
  RowNotFound,
  RowsOff,
  TreeCycle,
  TreeTooDeep,
  VersionConflict,
  VersionRequired
} from '../errors.ts'
import type { OrmPort } from '../registry/orm-port.ts'
import type { Repository } from '../repository/repository.ts'
import { row as rowAnswer } from './answers.ts'
import { auditRows } from './row-audit.ts'
import { rowChecks } from './row-checks.ts'
import { isBox, isMasked, rowView, shownFields, wholeRow } from './row-view.ts'
import { asAdministrator, entityOf, ofConnector, type RowsParts } from './rows.routes.ts'

/** Besides `ROLE_SVC_ADMIN`. */
const WRITER = 'ROLE_SVC_DATA_WRITE'

const versioned = {
  ...ofConnector,
  properties: {
    ...ofConnector.properties,
    version: { type: 'integer', minimum: 1, description: 'of the row that was read; for entities with versions' }
  }
} as const

const name = { type: 'string', maxLength: 100 } as const
const ofEntity = object({ name })
const ofRow = object({ name, id: { type: 'string', maxLength: 500 } })

const values = {
  type: 'object',
  description: 'by field; a field that is left out stays, or takes its default'
} as const
const creating = { type: 'object', additionalProperties: false, required: ['values'], properties: { values } } as const
const changing = {
  ...creating,
  properties: { values, version: versioned.properties.version }
} as const

const FOUND: readonly RouteError[] = [RowsOff, EntityNotFound, ConnectorNotFound, ConnectionUnavailable]
const WRITTEN: readonly RouteError[] = [
  ...FOUND,
  new ReadOnlyEntity('it'),
  UniqueViolation,
  ReferenceMissing,
  new TreeCycle('an entity', 'a field'),
  new TreeTooDeep('an entity', 'its')
]
const CHANGED: readonly RouteError[] = [...WRITTEN, RowNotFound, VersionConflict, VersionRequired]

interface Asked {
  Params: { name: string; id: string }
  Querystring: { connector?: string; version?: number }
  Body: { values: Readonly<Record<string, unknown>>; version?: number }
}

export interface RowChangesParts extends RowsParts {
  /** `false`: rows cannot be changed. */
  readonly write: boolean
}

/** @param path of the admin plane */
export function rowChangeRoutes(fastify: FastifyInstance, path: string, parts: RowChangesParts): void {
  const { registry, rows, write, chosen } = parts
  const checks = rowChecks()

  const found = (request: Parameters<RowsParts['chosen']>[0] & { params: { name: string } }): Found => {
    const entity = entityOf(registry, chosen(request), request.params.name)
    if (entity === null) throw new EntityNotFound()
    return entity
  }
  const writable = (request: Parameters<typeof found>[0]): Found => {
    if (!rows || !write) throw new RowsOff()
    return found(request)
  }
  const settings = (query: object, errors: readonly RouteError[], schema: object) => ({
    preValidation: strictQuery(Object.keys((query as typeof ofConnector).properties)),
    schema: { querystring: query, ...schema, errors }
  })

  fastify.get<Asked>(
    `${path}/entities/:name/rows/:id`,
    {
      ...adminRoute('svc.orm.row', 'ROLE_SVC_DATA'),
      ...settings(ofConnector, [...FOUND, RowNotFound], { params: ofRow, response: { 200: rowAnswer } })
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (!rows) throw new RowsOff()
      const { entity, connector } = found(request)
      const { id } = request.params
      const select = shownFields(entity).map((field) => field.name)
      // What is shown may be changed next.
      const read = () => registry.repository<AnyRow>(entity.name, connector).primary().findOne({ id }, { select })
      const row = await asAdministrator(registry, entity, 'shown to', read)
      if (row === null) throw new RowNotFound(entity.name)
      auditRows(request, 'data.viewed', `${connector}.${entity.name}`, { id, rows: 1 })
      return answerOf(entity, connector, row)
    }
  )

  fastify.post<Asked>(
    `${path}/entities/:name/rows`,
    {
      ...adminChangeBesides('svc.orm.rows.create', WRITER, csrf),
      ...settings(ofConnector, [...WRITTEN, HiddenRequired], {
        params: ofEntity,
        body: creating,
        response: { 201: rowAnswer }
      })
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { entity, connector } = writable(request)
      checks.creates(entity, request.body.values)
      const create = () => registry.repository<AnyRow>(entity.name, connector).create(request.body.values)
      const row = await asAdministrator(registry, entity, 'created by', create)
      const after = rowView(row, shownFields(entity)).values
      auditRows(request, 'data.changed', `${connector}.${entity.name}`, { change: 'create', id: row.id, after })
      reply.code(201)
      return answerOf(entity, connector, row)
    }
  )

  fastify.patch<Asked>(
    `${path}/entities/:name/rows/:id`,
    {
      ...adminChangeBesides('svc.orm.rows.change', WRITER, csrf),
      ...settings(ofConnector, CHANGED, { params: ofRow, body: changing, response: { 200: rowAnswer } })
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { entity, connector } = writable(request)
      const { values: given, version } = request.body
      checks.changes(entity, given)
      const { before, after } = await withRow(registry, { entity, connector }, request.params.id, version, (locked) =>
        locked.repository.updateOne({ id: locked.row.id }, { ...given, ...locked.expected })
      )
      const changed = changesOf(entity, before, after)
      auditRows(request, 'data.changed', `${connector}.${entity.name}`, { change: 'update', id: before.id, ...changed })
      return answerOf(entity, connector, after)
    }
  )

  fastify.delete<Asked>(
    `${path}/entities/:name/rows/:id`,
    {
      ...adminChangeBesides('svc.orm.rows.delete', WRITER, csrf),
      ...settings(versioned, [...CHANGED, ReferencedRow], {
        params: ofRow,
        response: { 204: { type: 'null', description: 'the row is gone' } }
      })
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const { entity, connector } = writable(request)
      const { id } = request.params
      const { before } = await withRow(registry, { entity, connector }, id, request.query.version, (locked) =>
        locked.repository.findOneAndDelete({ id: locked.row.id })
      )
      const shown = rowView(before, shownFields(entity)).values
      auditRows(request, 'data.changed', `${connector}.${entity.name}`, { change: 'delete', id, before: shown })
      return reply.code(204).send(null)
    }
  )
}

interface Found {
  readonly entity: CompiledEntity
  readonly connector: string
}

interface LockedRow {
  readonly repository: Repository
  readonly row: AnyRow
  /** The version that the caller read, of an entity with versions. */
  readonly expected: { readonly version?: number }
}

/**
 * Changes one row that is locked, so that what is audited as before is what was there. @throws RowNotFound,
 * VersionRequired, VersionConflict
 */
function withRow(
  registry: OrmPort,
  { entity, connector }: Found,
  id: string,
  version: number | undefined,
  change: (locked: LockedRow) => Promise<AnyRow | null>
): Promise<{ readonly before: AnyRow; readonly after: AnyRow }> {
  if (entity.version && version === undefined) throw new VersionRequired(entity.name)
  const work = async (tx: Transaction) => {
    const repository = registry.repository<AnyRow>(entity.name, connector).withTransaction(tx)
    const row = await repository.findOne({ id }, { lock: 'update' })
    if (row === null) throw new RowNotFound(entity.name)
    if (entity.version && row.version !== version) throw new VersionConflict(entity.name)
    const before = { ...row }
    const after = await change({ repository, row, expected: entity.version ? { version: version as number } : {} })
    if (after === null) throw new RowNotFound(entity.name)
    return { before, after }
  }
  return asAdministrator(registry, entity, 'changed by', () => registry.transaction(work, connector))
}

/** A value that is shown may be written back: one that is encrypted is left out. */
function answerOf(entity: CompiledEntity, connector: string, row: AnyRow) {
  const isHidden = (field: CompiledField) => isMasked(field) || isBox(row[field.name])
  return {
    connector,
    entity: entity.name,
    masked: [...entity.fields.values()].filter(isHidden).map(({ name: field }) => field),
    values: wholeRow(
      row,
      shownFields(entity).filter((field) => !isHidden(field))
    )
  }
}

/** The fields that differ, as administrators see them. */
function changesOf(entity: CompiledEntity, before: AnyRow, after: AnyRow) {
  const fields = shownFields(entity)
  const [was, is] = [wholeRow(before, fields), wholeRow(after, fields)]
  const changed = fields.filter(({ name: field }) => JSON.stringify(was[field]) !== JSON.stringify(is[field]))
  return { before: rowView(before, changed).values, after: rowView(after, changed).values }
}

/** svc-security may be registered after svc-orm. */
const csrf: preParsingHookHandler = function guardCsrf(request, reply, payload, done) {
  const guard = decoratorOf(this, 'gates')?.csrf
  return guard === undefined ? done(null, payload) : guard.call(this, request, reply, payload, done)
}
