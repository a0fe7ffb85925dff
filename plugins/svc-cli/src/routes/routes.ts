/** `svc routes`: every route with its zone and guard. Modules register; nothing connects, no port opens. */
import { type Inspection, inspectApp } from '../application/inspect-app.ts'
import { securityOf } from '../application/security-view.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { ROW_HEADS, routeRows, rowCells } from './route-rows.ts'
import { textTable } from './text-table.ts'

const COMMAND = { script: 'npx svc routes', direct: 'svc routes' }

export async function routes(options: AppOptions & { json?: true }): Promise<void> {
  const listed = async ({ kernel, declared, register }: Inspection) => {
    const security = securityOf(await register())
    return routeRows(declared, {
      zoneOf: (template) => security?.zoneOf(template) ?? null,
      describeRequirement: kernel.describeRequirement
    })
  }
  const rows = await inspectApp(options, COMMAND, listed, { checkOnly: true })
  if (options.json === true) printJson(rows)
  else if (rows.length === 0) print('no routes')
  else print(textTable(ROW_HEADS, rows.map(rowCells)))
}
