/** Answers of the views of the database. An undeclared field never leaves. */
import {
  anyObject,
  flag,
  integer,
  integerOrNull,
  listOf,
  mapOf,
  number,
  numberOrNull,
  object,
  objectOrNull,
  text,
  textOrNull,
  texts
} from 'svc-kernel/schemas'

const time = { ...integer, description: 'epoch ms' } as const
const timeOrNull = { ...integerOrNull, description: 'epoch ms' } as const

export const orms = listOf(
  object({
    name: text,
    vendor: text,
    default: flag,
    connected: flag,
    entityCount: integer,
    connection: object({ driver: text, target: text, version: textOrNull })
  })
)

export const entity = object(
  {
    name: text,
    connector: text,
    module: textOrNull,
    storedAs: text,
    existing: { ...flag, description: 'the table is not created by svc' },
    readOnly: flag,
    timestamps: flag,
    softDelete: flag,
    version: flag,
    columns: listOf(
      object(
        {
          name: text,
          type: { ...text, description: '`string[]` of a list' },
          primaryKey: flag,
          nullable: flag,
          unique: flag,
          managed: flag
        },
        {
          storedAs: { ...text, description: 'if the database has another name for it' },
          hidden: flag,
          sealed: { enum: [true, 'searchable'], description: 'the database has it encrypted' },
          default: {},
          maxLength: integer,
          scale: integer,
          values: texts,
          check: anyObject
        }
      )
    ),
    relations: listOf(
      object({
        type: text,
        target: text,
        field: text,
        foreignKey: { ...text, description: 'of this entity, or `Target.field`' },
        onDelete: {
          enum: ['restrict', 'cascade', 'setNull', 'none', null],
          description: 'what happens to rows of this entity; null of one-to-many'
        },
        deferrable: flag
      })
    ),
    referredBy: listOf(object({ entity: text, type: text, field: text, foreignKey: text })),
    indexes: listOf(
      object(
        { fields: texts, unique: flag },
        {
          folded: { ...texts, description: 'fields that are compared in any case' },
          where: { ...text, description: 'which rows the index contains, if not all' },
          method: text
        }
      )
    )
  },
  {
    scope: { ...text, description: 'each row belongs to one, such as `organization`' },
    tree: { ...text, description: 'rows are trees by this field, which has the id of the row above' }
  }
)

export const entities = listOf(entity)

export const graph = object({ orms, entities })

/** By `<connector>.<entity>`; null where the connector cannot be asked at the moment. */
export const counts = mapOf(integerOrNull)

export const health = listOf(
  object(
    {
      name: text,
      vendor: text,
      driver: text,
      target: text,
      connected: flag,
      connectedSince: timeOrNull,
      connectCount: integer,
      reconnectCount: integer,
      errorCount: integer,
      lastError: textOrNull,
      pingMs: numberOrNull,
      latency: {
        ...object({ min: number, avg: number, max: number, samples: integer }),
        description: 'ms, of the last operations'
      },
      pool: objectOrNull({ size: integer, idle: integer, waiting: integer })
    },
    {
      disconnectedSince: timeOrNull,
      replicas: listOf(
        object({
          target: text,
          reading: { ...flag, description: 'reads go to it' },
          reason: { ...textOrNull, description: 'why not' },
          lagMs: numberOrNull,
          pool: objectOrNull({ size: integer, idle: integer, waiting: integer })
        })
      )
    }
  )
)

export const flow = object({
  enabled: flag,
  ts: time,
  slowMs: number,
  connectors: listOf(
    object({
      connector: text,
      total: integer,
      avgMs: number,
      lastMs: number,
      maxMs: number,
      slowTotal: integer,
      slow: listOf(
        object(
          { entity: text, operation: text, ms: number, ts: time },
          { statement: { ...text, description: 'what it mostly waited for, without values' } }
        )
      )
    })
  )
})

export const locks = listOf(
  object({
    connector: text,
    name: text,
    holder: { ...text, description: 'host:pid of the instance' },
    since: { ...time, description: 'epoch ms, by the clock of that instance' },
    fence: { ...integerOrNull, description: 'null while it is being taken' }
  })
)

export const exported = object({ format: text, content: text })

/** `problems` are those of the boot, each with its fix. */
export const schemaStates = listOf(
  object({
    connector: text,
    vendor: text,
    state: { enum: ['known', 'none', 'unreachable', 'unknown'] },
    migrations: listOf(object({ name: text, executedAt: timeOrNull })),
    unwritten: texts,
    unconstrained: { ...texts, description: '`Entity.relation` without a foreign key: npx svc orm:diff adds it' },
    problems: listOf(object({ code: text, message: text }, { at: text, got: text, expected: text, fix: text }))
  })
)

/** One row; values are whole. `masked` are the fields that are not read. */
export const row = object({ connector: text, entity: text, masked: texts, values: anyObject })

/** `fields` are those that are read, `masked` those that are not; `cut` names values that are longer than shown. */
export const rows = object({
  connector: text,
  entity: text,
  fields: texts,
  masked: texts,
  items: listOf(object({ values: anyObject, cut: texts })),
  next: textOrNull
})
