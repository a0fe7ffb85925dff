/** The benchmarks that the guard runs, with arguments for a quick look: more rounds of the guard make up for them. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface QuickBenchmark {
  readonly name: string
  /** From the root of the checkout. Default: `run.js` of the benchmark of this name. */
  readonly script?: string
  readonly args: readonly string[]
  readonly flags?: readonly string[]
}

export const BENCHMARKS: readonly QuickBenchmark[] = [
  { name: 'http', args: ['1', '2', '8000'] },
  { name: 'security', args: ['2', '4000'] },
  { name: 'crud', args: ['1', '3', '1500'] },
  { name: 'docdb', args: ['3', '1000'] },
  { name: 'webhooks', args: ['2', '5000', 'emit'] },
  { name: 'webhooks delivery', script: 'test/dist/bench/webhooks/run.js', args: ['2', '3000', 'delivery'] },
  { name: 'orm', script: '.config/bench-orm.mjs', args: ['3', '1000'] },
  {
    name: 'audit',
    args: ['3', '50000'],
    flags: ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']
  }
]

const LIMIT_MS = 600_000

/** @returns what the benchmark of the checkout in the folder printed */
export async function runBenchmark(folder: string, benchmark: QuickBenchmark): Promise<string> {
  const { name, args, flags = [], script = `test/dist/bench/${name}/run.js` } = benchmark
  const run = promisify(execFile)
  const options = { cwd: folder, timeout: LIMIT_MS }
  const { stdout } = await run(process.execPath, [...flags, join(folder, script), ...args], options)
  return stdout
}
