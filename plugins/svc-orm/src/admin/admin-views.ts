/** What the admin plane shows: connectors, health, statistics, entities, counts. Targets come without credentials. */
import { maskTarget } from 'svc-stores/table'
import { type CompiledEntity, type CompiledField, type CompiledRelation, idField } from '../entities/compiled-entity.ts'
import type { OrmPort } from '../registry/orm-registry.ts'
import type { OrmConnector } from '../repository/entity-repositories.ts'
import type { FlowSettings, Latency } from '../repository/flow-statistics.ts'

export function connectorView(connector: OrmConnector, isDefault: boolean, entityCount: number) {
  const { name, vendor, connected, connection } = connector
  const { driver, target, version } = connection
  const shown = { driver, target: maskTarget(target), version }
  return { name, vendor, default: isDefault, connected, entityCount, connection: shown }
}

/** @param latency of the last operations */
export async function healthView(connector: OrmConnector, latency: Latency) {
  const { name, vendor, connection } = connector
  const { driver, target } = connection
  return { name, vendor, driver, target: maskTarget(target), ...(await connector.health()), latency }
}

/** @param ts epoch ms of the view */
export function flowView(
  registry: OrmPort,
  connectors: readonly OrmConnector[],
  { enabled, slowMs }: FlowSettings,
  ts: number
) {
  return {
    enabled,
    ts,
    slowMs,
    connectors: connectors.map(({ name }) => ({ connector: name, ...registry.flow(name).view() }))
  }
}

interface EntityView {
  readonly name: string
  readonly connector: string
  readonly module: string | null
  readonly columns: readonly ColumnView[]
  readonly relations: readonly RelationView[]
}

interface ColumnView {
  readonly name: string
  /** `string`, or `string[]` of a list. */
  readonly type: string
  readonly primaryKey: boolean
  readonly nullable: boolean
  readonly unique: boolean
}

interface RelationView {
  readonly type: string
  readonly target: string
  /** The property that `relations` loads. */
  readonly field: string
  /** The reference field: on this entity, or for `one-to-many` as `Target.field`. */
  readonly foreignKey: string
}

export function entityView(entity: CompiledEntity, connector: string): EntityView {
  const { name, module, fields, relations } = entity
  return {
    name,
    connector,
    module,
    columns: [columnView(idField), ...[...fields.values()].map(columnView)],
    relations: [...relations.values()].map(relationView)
  }
}

function columnView({ name, type, array, nullable, unique }: CompiledField): ColumnView {
  return { name, type: array ? `${type}[]` : type, primaryKey: name === 'id', nullable, unique }
}

function relationView({ name, type, target, field, mappedBy }: CompiledRelation): RelationView {
  return { type, target, field: name, foreignKey: mappedBy === null ? field : `${target}.${field}` }
}

/**
 * How many rows each entity has; null for a connector that cannot be asked, which hides no other.
 *
 * @returns by `<connector>.<entity>`
 */
export async function countRows(
  registry: OrmPort,
  connectors: readonly OrmConnector[]
): Promise<Record<string, number | null>> {
  const counts: [string, number | null][] = []
  for (const connector of connectors) {
    for (const { name } of registry.entities(connector.name)) {
      counts.push([`${connector.name}.${name}`, connector.connected ? await countOf(registry, name, connector) : null])
    }
  }
  return Object.fromEntries(counts)
}

async function countOf(registry: OrmPort, entity: string, { name }: OrmConnector): Promise<number | null> {
  try {
    return await registry.repository(entity, name).count()
  } catch {
    // The health of the connection counts and shows it.
    return null
  }
}
