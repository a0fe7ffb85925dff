/** Connectors as the admin plane shows them. Targets come without credentials, whatever a driver hands over. */

import { maskTarget } from 'svc-stores/table'
import type { OrmConnector } from '../driver/orm-connector.ts'
import type { FlowSettings } from '../statistics/flow-statistics.ts'

export function connectorView(connector: OrmConnector, isDefault: boolean, entityCount: number) {
  const { name, vendor, connected, connection } = connector
  const { driver, target, version } = connection
  const shown = { driver, target: maskTarget(target), version }
  return { name, vendor, default: isDefault, connected, entityCount, connection: shown }
}

export async function healthView(connector: OrmConnector) {
  const { name, vendor, connection } = connector
  const { driver, target } = connection
  return { name, vendor, driver, target: maskTarget(target), ...(await connector.health()) }
}

/** @param ts epoch ms of the view */
export function flowView(connectors: readonly OrmConnector[], { enabled, slowMs }: FlowSettings, ts: number) {
  return {
    enabled,
    ts,
    slowMs,
    connectors: connectors.map(({ name, flow }) => ({ connector: name, ...flow.view() }))
  }
}
