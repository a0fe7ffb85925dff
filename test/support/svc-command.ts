/** The real `svc` command as a child process: run to its end, or kept running and watched. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { type Finished, repository, runInHost } from './command-hosts.ts'
import { plainCommand } from './plain-command.ts'

export { type Finished, repository }

/** A slow machine takes long for what it does, but says something meanwhile. */
const SILENCE_MS = 120_000

export const svcBin = resolve(repository, 'plugins/svc-cli/bin/svc.js')

export interface RunOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
}

/**
 * What a newcomer's shell has: no colours, no port of ours, and none of what the test runner adds to its children but
 * what makes them cheaper.
 */
function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const foreign = /^(PORT|HOST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR|_?TAP.*|npm_.*)$/
  const inherited = Object.entries(process.env).filter(([name]) => !foreign.test(name))
  return { ...Object.fromEntries(inherited), NO_COLOR: '1', ...extra }
}

export class Running {
  readonly #child: ChildProcess
  #stdout = ''
  #stderr = ''
  #watchers = new Set<() => void>()

  constructor(command: string, args: readonly string[], { cwd, env }: RunOptions) {
    // A group of its own, so that npm and what it started end together.
    this.#child = spawn(...plainCommand(command, args), {
      cwd,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true
    })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#take('stdout', text))
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#take('stderr', text))
    this.#child.once('close', () => this.#notify())
  }

  get output(): string {
    return this.#stdout + this.#stderr
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /** Resolves with the match once the output shows it. @throws when the process ends, or is silent for 120 s. */
  async shows(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const silent = AbortSignal.timeout(SILENCE_MS)
      const match = pattern.exec(this.output)
      if (match !== null) return match
      if (this.#child.exitCode !== null)
        throw new Error(`ended with ${this.#child.exitCode} before ${pattern}: ${this.output}`)
      await new Promise<void>((resume, reject) => {
        const wake = (): void => {
          this.#watchers.delete(wake)
          resume()
        }
        this.#watchers.add(wake)
        silent.onabort = () => {
          this.#watchers.delete(wake)
          reject(new Error(`silent for 120 s, without ${pattern}: ${this.output}`))
        }
      })
    }
  }

  /** What was shown so far no longer counts for `shows`. */
  forget(): void {
    this.#stdout = ''
    this.#stderr = ''
  }

  async finished(): Promise<Finished> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await once(this.#child, 'close')
    return { code: this.#child.exitCode, stdout: this.#stdout, stderr: this.#stderr }
  }

  /** Sends a signal to the whole group and waits for the end; nothing to do when it has ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(-this.pid, signal)
    return await this.finished()
  }

  #take(stream: 'stdout' | 'stderr', text: string): void {
    if (stream === 'stdout') this.#stdout += text
    else this.#stderr += text
    this.#notify()
  }

  #notify(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }
}

/** What serves changes the process for good. */
const SERVERS = new Set(['dev', 'start'])

/** Runs `svc` to its end. */
export function svc(args: readonly string[], options: RunOptions & { readonly stdin?: string }): Promise<Finished> {
  const { cwd, env, stdin } = options
  if (SERVERS.has(args[0] ?? '')) return svcAlone(args, options)
  return runInHost({ args, cwd, env: environment(env), stdin }, SILENCE_MS)
}

/** As `svc`, in a process that looks for packages anew: what is installed has changed since the last command. */
export function svcAlone(args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Running(process.execPath, [svcBin, ...args], options).finished()
}

/** Runs any command to its end, such as `npm`. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Finished> {
  return new Running(command, args, options).finished()
}
