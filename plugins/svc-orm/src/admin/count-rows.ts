/** How many rows each entity has. A connector that cannot be asked shows null, and hides no other. */
import type { OrmConnector } from '../driver/orm-connector.ts'
import type { OrmPort } from '../registry/orm-port.ts'

/** @returns by `<connector>.<entity>` */
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
    // Counted and told by the connection's health, which the plane shows beside.
    return null
  }
}
