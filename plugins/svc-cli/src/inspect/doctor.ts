/** `svc doctor`: boots as in production, opens no port, and ends with 1 where something would hurt there. */
import type { FastifyInstance } from 'fastify'
import type { Problem } from 'svc-kernel'
import { formatProblem, terminalPaint } from 'svc-kernel/host'
import { type Inspection, inspectApp } from '../application/inspect-app.ts'
import { assumeMode } from '../environment.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { complain, print, printJson, textTable } from '../output.ts'
import { storesOf, warningReader } from './boot-report.ts'
import { productionHints, productionProblems } from './production-checks.ts'

const COMMAND = 'svc doctor'

interface Kept {
  readonly name: string
  /** A driver, `memory`, `parts` for an object of the application, or `null` where it is disabled. */
  readonly keptIn: string | null
  /** `null` where only the application knows. */
  readonly shared: boolean | null
}

interface Diagnosis {
  readonly problems: readonly Problem[]
  readonly hints: readonly Problem[]
  readonly kept: readonly Kept[]
}

/** @throws CommandError with what would hurt; what the boot throws: with its problems the application does not start */
export async function doctor(options: AppOptions & { json?: true; instances?: true }): Promise<void> {
  assumeMode('production')
  const warnings: Problem[] = []
  const { problems, hints, kept } = await inspectApp(options, COMMAND, (inspection) => diagnose(inspection, warnings), {
    onWarning: warningReader(warnings)
  })
  if (options.json === true) {
    printJson({ ok: problems.length === 0, problems, hints, ...(options.instances === true && { kept }) })
    if (problems.length > 0) process.exitCode = 1
    return
  }
  if (options.instances === true) print(keptText(kept))
  for (const hint of hints) complain(formatProblem(hint, terminalPaint(process.stderr), '▲'))
  if (problems.length > 0) throw new CommandError(problems)
  print('nothing that would hurt in production')
}

async function diagnose({ app, register }: Inspection, warnings: readonly Problem[]): Promise<Diagnosis> {
  const fastify = await register()
  await fastify.ready()
  const problems = await productionProblems(app, fastify)
  return { problems: [...warnings, ...problems], hints: productionHints(app, fastify), kept: keptBy(fastify) }
}

function keptBy(fastify: FastifyInstance): Kept[] {
  const stores = Object.entries(storesOf(fastify)).map(([brick, keptIn]) => ({
    name: `store ${brick}`,
    keptIn,
    shared: keptIn === null || keptIn === 'parts' ? null : keptIn !== 'memory'
  }))
  if (!fastify.hasDecorator('realtime')) return stores
  const { realtime } = fastify as unknown as { realtime: { status(): { adapter: { name: string } } } }
  const { name } = realtime.status().adapter
  return [...stores, { name: 'messages of svc-realtime', keptIn: name, shared: name !== 'memory' }]
}

function keptText(kept: readonly Kept[]): string {
  if (kept.length === 0) return 'the application keeps nothing'
  const rows = kept.map(({ name, keptIn, shared }) => [
    name,
    keptIn ?? 'disabled',
    shared === null ? '-' : shared ? 'yes' : 'no'
  ])
  return textTable(['WHAT', 'KEPT IN', 'SHARED'], rows)
}
