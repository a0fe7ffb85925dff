/** Answers of the views of the database. An undeclared field never leaves. */

const text = { type: 'string' } as const
const textOrNull = { type: ['string', 'null'] } as const
const count = { type: 'integer' } as const
const ms = { type: 'number' } as const
const msOrNull = { type: ['number', 'null'] } as const
const flag = { type: 'boolean' } as const

function object(properties: Record<string, object>) {
  return { type: 'object', properties } as const
}

function list(items: object) {
  return { type: 'array', items } as const
}

export const ormsSchema = list(
  object({
    name: text,
    vendor: text,
    default: flag,
    connected: flag,
    entityCount: count,
    connection: object({ driver: text, target: text, version: textOrNull })
  })
)

const names = list(text)

export const entitySchema = object({
  name: text,
  connector: text,
  module: textOrNull,
  storedAs: text,
  existing: flag,
  readOnly: flag,
  timestamps: flag,
  softDelete: flag,
  version: flag,
  columns: list(
    object({
      name: text,
      storedAs: text,
      type: text,
      primaryKey: flag,
      nullable: flag,
      unique: flag,
      managed: flag,
      hidden: flag,
      default: {},
      maxLength: count,
      scale: count,
      values: names,
      check: { type: 'object', additionalProperties: true }
    })
  ),
  relations: list(object({ type: text, target: text, field: text, foreignKey: textOrNull })),
  referredBy: list(object({ entity: text, type: text, field: text, foreignKey: text })),
  indexes: list(object({ fields: names, unique: flag }))
})

export const entitiesSchema = list(entitySchema)

export const graphSchema = object({ orms: ormsSchema, entities: entitiesSchema })

/** By `<connector>.<entity>`; null where the connector cannot be asked at the moment. */
export const countsSchema = { type: 'object', additionalProperties: { type: ['integer', 'null'] } } as const

export const healthSchema = list(
  object({
    name: text,
    vendor: text,
    driver: text,
    target: text,
    connected: flag,
    connectedSince: { type: ['integer', 'null'] },
    disconnectedSince: { type: ['integer', 'null'] },
    connectCount: count,
    reconnectCount: count,
    errorCount: count,
    lastError: textOrNull,
    pingMs: msOrNull,
    latency: object({ min: ms, avg: ms, max: ms, samples: count }),
    pool: { type: ['object', 'null'], properties: { size: count, idle: count, waiting: count } }
  })
)

export const flowSchema = object({
  enabled: flag,
  ts: count,
  slowMs: ms,
  connectors: list(
    object({
      connector: text,
      total: count,
      avgMs: ms,
      lastMs: ms,
      maxMs: ms,
      slowTotal: count,
      slow: list(object({ entity: text, operation: text, ms, ts: count }))
    })
  )
})

export const exportSchema = object({ format: text, content: text })

/** `problems` are those of the boot, each with its fix. */
export const schemaSchema = list(
  object({
    connector: text,
    vendor: text,
    state: { enum: ['known', 'none', 'unreachable', 'unknown'] },
    migrations: list(object({ name: text, executedAt: { type: ['integer', 'null'] } })),
    unwritten: names,
    problems: list(object({ code: text, message: text, at: text, got: text, expected: text, fix: text }))
  })
)

/** `fields` are those that are read, `masked` those that are not; `cut` names values that are longer than shown. */
export const rowsSchema = object({
  connector: text,
  entity: text,
  fields: names,
  masked: names,
  items: list(object({ values: { type: 'object', additionalProperties: true }, cut: names })),
  next: textOrNull
})
