/** An engine in a process of its own, to be killed: `node engine-process.js <file>` prints the URI it listens on. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startDocumentEngine } from '../../src/index.ts'
import type { Teardown } from './engine-client.ts'

const own = fileURLToPath(import.meta.url)

if (process.argv[1] === own) {
  const [, , file = ''] = process.argv
  const engine = await startDocumentEngine({ file })
  process.stdout.write(`${engine.uri}\n`)
}

export interface EngineProcess {
  readonly uri: string
  readonly child: ChildProcess
}

export async function engineProcess(t: Teardown, file: string): Promise<EngineProcess> {
  // The test runner hooks itself into Node children through NODE_OPTIONS.
  const script = 'unset NODE_OPTIONS; exec "$0" "$@"'
  const child = spawn('sh', ['-c', script, process.execPath, own, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { uri: String(line).trim(), child }
}
