/** What the admin plane shows of databases: connectors, health, statistics, counts. Targets come without credentials. */
import { maskTarget } from 'svc-stores/table'
import type { OrmPort } from '../registry/orm-port.ts'
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

/** The locks that are held; a connector that cannot be asked shows none, and hides no other. */
export async function lockViews(registry: OrmPort, connectors: readonly OrmConnector[]) {
  const listed = connectors.map(async ({ name: connector }) => {
    const held = await registry.heldLocks(connector).catch(() => [])
    return held.map((lock) => ({ connector, ...lock }))
  })
  return (await Promise.all(listed)).flat()
}

async function countOf(registry: OrmPort, entity: string, { name }: OrmConnector): Promise<number | null> {
  try {
    return await registry.repository(entity, name).count()
  } catch {
    // The health of the connection counts and shows it.
    return null
  }
}
