/** `svc info`: versions, mode, modules, stores, databases and what the boot warns of. Boots, but opens no port. */
import { join } from 'node:path'
import type { Problem } from 'svc-kernel'
import { formatProblem } from 'svc-kernel/host'
import { maskOptions } from 'svc-kernel/plugin'
import { readPackage, resolveFrom } from '../application/app-packages.ts'
import { databasesOf } from '../application/database-view.ts'
import { type Inspection, inspectApp } from '../application/inspect-app.ts'
import type { AppOptions } from '../options.ts'
import { print, printJson, textTable } from '../output.ts'
import { storesOf, warningReader } from './boot-report.ts'

const COMMAND = 'svc info'

interface Report {
  readonly name: string
  readonly mode: string
  readonly root: string
  readonly versions: Readonly<Record<string, string>>
  readonly modules: ReadonlyArray<{ readonly name: string; readonly version: string | null; readonly options: unknown }>
  /** Driver by brick. */
  readonly stores: Readonly<Record<string, string | null>>
  readonly databases: ReadonlyArray<{
    readonly name: string
    readonly vendor: string
    readonly target: string
    readonly connected: boolean
  }>
  /** What the boot warns of. */
  readonly problems: readonly Problem[]
}

/** @throws what the boot throws: with its problems the application does not start */
export async function info(options: AppOptions & { json?: true }): Promise<void> {
  const problems: Problem[] = []
  const report = await inspectApp(options, COMMAND, (inspection) => collect(inspection, problems), {
    onWarning: warningReader(problems)
  })
  if (options.json === true) printJson(report)
  else print(reportText(report))
}

async function collect({ kernel, app, register }: Inspection, problems: readonly Problem[]): Promise<Report> {
  const fastify = await register()
  await fastify.ready()
  const { root } = app
  return {
    name: app.config.name ?? 'app',
    mode: app.config.mode ?? 'production',
    root,
    versions: { node: process.versions.node, fastify: fastify.version },
    modules: app.config.modules.map((entry) => {
      const [plugin, given = {}] = Array.isArray(entry) ? (entry as unknown[]) : [entry]
      const { name } = kernel.pluginMeta(plugin)
      return { name, version: versionOf(root, name), options: maskOptions(given) }
    }),
    stores: storesOf(fastify),
    databases: (databasesOf(fastify)?.connectors() ?? []).map(({ name, vendor, connection, connected }) => ({
      name,
      vendor,
      target: connection.target,
      connected
    })),
    problems
  }
}

function versionOf(root: string, name: string): string | null {
  const file = resolveFrom(root, `${name}/package.json`)
  return file === null ? null : (readPackage(join(file, '..')).version ?? null)
}

function reportText({ name, mode, root, versions, modules, stores, databases, problems }: Report): string {
  const told = Object.entries(versions).map(([what, version]) => `${what} ${version}`)
  const parts = [
    `${name}  ${mode}  ${root}\n${told.join(', ')}`,
    textTable(
      ['MODULE', 'VERSION', 'OPTIONS'],
      modules.map((module) => [module.name, module.version ?? '-', JSON.stringify(module.options)])
    )
  ]
  const bricks = Object.entries(stores)
  if (bricks.length > 0)
    parts.push(
      textTable(
        ['STORE', 'KEPT IN'],
        bricks.map(([brick, driver]) => [brick, driver ?? 'disabled'])
      )
    )
  if (databases.length > 0) {
    const rows = databases.map(({ name, vendor, target, connected }) => [
      name,
      vendor,
      target,
      connected ? 'yes' : 'no'
    ])
    parts.push(textTable(['DATABASE', 'VENDOR', 'TARGET', 'CONNECTED'], rows))
  }
  parts.push(
    problems.length === 0 ? 'no problems' : problems.map((problem) => formatProblem(problem, undefined, '▲')).join('\n')
  )
  return parts.join('\n\n')
}
