/** A Node process of a test: its output as it comes, its end, and its death with the test. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

export interface ChildProcess {
  readonly pid: number
  /** Everything written so far. */
  readonly stdout: string
  readonly stderr: string
  /** Waits until standard output matches. @throws when the process ends first */
  until(pattern: RegExp): Promise<RegExpExecArray>
  signal(name: NodeJS.Signals): void
  /** Waits for the end. */
  exit(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** @param fixture name of a file in `test/fixtures`, without its ending */
export function startChild(t: Test, fixture: string, ...args: string[]): ChildProcess {
  const file = fileURLToPath(new URL(`./fixtures/${fixture}.js`, import.meta.url))
  // The test runner hooks every Node process through NODE_OPTIONS; an application runs without that.
  const child = spawn('sh', ['-c', 'unset NODE_OPTIONS; exec "$0" "$@"', process.execPath, file, ...args])
  const output = { stdout: '', stderr: '' }
  let heard: (() => void) | null = null
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
      heard?.()
    })
  }
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })

  return {
    pid: child.pid as number,
    get stdout() {
      return output.stdout
    },
    get stderr() {
      return output.stderr
    },
    until(pattern) {
      return new Promise((resolve, reject) => {
        heard = () => {
          const found = pattern.exec(output.stdout)
          if (found !== null) resolve(found)
        }
        heard()
        void ended.then(() => reject(new Error(`the process ended first:\n${output.stdout}${output.stderr}`)))
      })
    },
    signal(name) {
      child.kill(name)
    },
    exit: () => ended
  }
}
