/** Runs the real `svc` as a person does: a process of its own, pipes for a terminal, a clean environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

const BIN = fileURLToPath(new URL('../../../bin/svc.js', import.meta.url))
const REPOSITORY = fileURLToPath(new URL('../../../../..', import.meta.url))
/** What serves changes the process for good. */
const SERVERS = new Set(['dev', 'start'])
const GIVE_UP_MS = 120_000

export interface SvcOptions {
  cwd: string
  env?: Record<string, string>
  /** What is piped in; without it there is nothing to read. */
  stdin?: string
  /** Absolute path of a script to run in place of the command. */
  script?: string
}

export interface SvcResult {
  code: number | null
  stdout: string
  stderr: string
}

type RunInHost = (given: object, timeoutMs: number) => Promise<SvcResult>

const { runInHost } = (await import(join(REPOSITORY, '.config/command-hosts.mjs'))) as { runInHost: RunInHost }

/** Waits for the end of a command; a command that does not end is killed. */
export function runSvc(args: readonly string[], options: SvcOptions): Promise<SvcResult> {
  const { cwd, env, stdin, script } = options
  if (script !== undefined || SERVERS.has(args[0] ?? '')) return runSvcAlone(args, options)
  return runInHost({ args, cwd, env: environment(env), stdin }, GIVE_UP_MS)
}

/** As `runSvc`, in a process that loads its packages anew, as a person's does. */
export function runSvcAlone(args: readonly string[], options: SvcOptions): Promise<SvcResult> {
  return ended(launch(args, options))
}

/** As `runSvc`, for any script. */
export async function ended(child: ChildProcess): Promise<SvcResult> {
  const killer = setTimeout(() => child.kill('SIGKILL'), GIVE_UP_MS)
  const result = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      result[stream] += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(killer)
  return { code, ...result }
}

/** A command that runs until it is stopped. It is killed when the test ends. */
export class SvcProcess {
  readonly #child: ChildProcess
  readonly #closed: Promise<number | null>
  #output = ''
  #seen = 0
  #waiting: (() => void) | null = null

  constructor(t: Test, args: readonly string[], options: SvcOptions) {
    this.#child = launch(args, options)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
        this.#waiting?.()
      })
    }
    this.#closed = once(this.#child, 'close').then(([code]) => {
      this.#waiting?.()
      return code as number | null
    })
    t.teardown(async () => {
      this.#child.kill('SIGKILL')
      await this.#closed
    })
  }

  get output(): string {
    return this.#output
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The next text after what was waited for before. @throws when the process ends without saying it */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#output.slice(this.#seen))
      if (found !== null) {
        this.#seen += found.index + found[0].length
        return found
      }
      if (this.#child.exitCode !== null) throw new Error(`ended without saying ${pattern}:\n${this.#output}`)
      await this.#more(pattern)
    }
  }

  /** The address in the banner, or in the log of a production server. */
  async address(): Promise<string> {
    const [url] = await this.says(/http:\/\/127\.0\.0\.1:\d+/)
    return url
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.signal(signal)
    return this.#closed
  }

  #more(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`did not say ${pattern} in time:\n${this.#output}`)), GIVE_UP_MS)
      this.#waiting = () => {
        clearTimeout(late)
        this.#waiting = null
        resolve()
      }
    })
  }
}

function launch(args: readonly string[], { cwd, env = {}, stdin, script = BIN }: SvcOptions): ChildProcess {
  return launchNode([script, ...args], cwd, env, stdin)
}

/** What the test runner gives its children to make them cheaper. */
const CHEAPER = ['NODE_COMPILE_CACHE', 'GOGC', 'GOMEMLIMIT']

/** Nothing but this, and what the test runner gives its children. */
function environment(env: Record<string, string> = {}): Record<string, string> {
  const inherited = Object.fromEntries(CHEAPER.map((name) => [name, process.env[name]]))
  const path = `${dirname(process.execPath)}:${process.env.PATH ?? ''}`
  const clean = Object.entries({ ...inherited, PATH: path, HOME: process.env.HOME, ...env })
  return Object.fromEntries(clean.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** Node with a clean environment: `env -i` also takes off what tap adds to the processes of a test. */
export function launchNode(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
  stdin?: string
): ChildProcess {
  const variables = Object.entries(environment(env)).map(([name, value]) => `${name}=${value}`)
  const input = stdin === undefined ? 'ignore' : 'pipe'
  const child = spawn('env', ['-i', ...variables, process.execPath, ...args], { cwd, stdio: [input, 'pipe', 'pipe'] })
  // A command that refuses at once does not read what is piped in.
  child.stdin?.on('error', () => undefined).end(stdin)
  return child
}
