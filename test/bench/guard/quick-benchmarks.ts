/** The benchmarks that the guard runs, with arguments for a quick look: more rounds of the guard make up for them. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface QuickBenchmark {
  readonly name: string
  /** From the root of the checkout: the first that is there, as older commits have others. Default: `run.js` of this name. */
  readonly scripts?: readonly string[]
  readonly args: readonly string[]
  readonly flags?: readonly string[]
}

export const BENCHMARKS: readonly QuickBenchmark[] = [
  { name: 'http', args: ['1', '2', '8000'] },
  { name: 'security', args: ['2', '4000'] },
  { name: 'crud', args: ['1', '3', '1500'] },
  { name: 'docdb', args: ['3', '1000'] },
  { name: 'webhooks', args: ['2', '5000', 'emit'] },
  { name: 'webhooks delivery', scripts: ['test/dist/bench/webhooks/run.js'], args: ['2', '3000', 'delivery'] },
  { name: 'orm', scripts: ['.config/bench.mjs orm', '.config/bench-orm.mjs'], args: ['3', '1000'] },
  {
    name: 'audit',
    args: ['3', '50000'],
    flags: ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']
  }
]

const LIMIT_MS = 600_000

/** @returns what the benchmark of the checkout in the folder printed */
export async function runBenchmark(folder: string, benchmark: QuickBenchmark): Promise<string> {
  const options = { cwd: folder, timeout: LIMIT_MS }
  const { stdout } = await promisify(execFile)(process.execPath, commandOf(folder, benchmark), options)
  return stdout
}

/** Arguments of Node, in the checkout in the folder. */
export function commandOf(folder: string, { name, args, flags = [], scripts }: QuickBenchmark): string[] {
  const choices = (scripts ?? [`test/dist/bench/${name}/run.js`]).map((script) => script.split(' '))
  const [file = '', ...given] = choices.find(([path = '']) => existsSync(join(folder, path))) ?? choices[0] ?? []
  return [...flags, join(folder, file), ...given, ...args]
}
