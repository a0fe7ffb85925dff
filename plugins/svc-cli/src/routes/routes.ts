/** `svc routes`: every route with its zone and guard. Modules register; nothing connects, no port opens. */
import { inspectApp } from '../application/inspect-app.ts'
import { securityOf } from '../application/security-view.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson } from '../output.ts'
import { ROW_HEADS, routeRows, rowCells } from './route-rows.ts'
import { textTable } from './text-table.ts'

const COMMAND = { script: 'npx svc routes', direct: 'svc routes' }

export async function routes(options: AppOptions & { json?: true }): Promise<void> {
  const rows = await inspectApp(options, COMMAND, async ({ kernel, declared, register }) => {
    const security = securityOf(await register())
    return routeRows(declared, {
      zoneOf: (template) => security?.zoneOf(template) ?? null,
      describeRequirement: kernel.describeRequirement
    })
  })
  if (options.json === true) printJson(rows)
  else if (rows.length === 0) print('no routes')
  else print(textTable(ROW_HEADS, rows.map(rowCells)))
}
