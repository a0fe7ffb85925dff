/** A PostgreSQL server of its own, on a free port and in a temporary folder, from Debian's packages: stopped, killed, started again. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './ports.ts'

const DEBIAN = '/usr/lib/postgresql'

/** The folder of the newest installed server; `null` where there is none. */
export function postgresPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(DEBIAN, version, 'bin')).find((bin) => existsSync(join(bin, 'pg_ctl'))) ?? null
}

export class PostgresServer {
  readonly port: number
  readonly #programs: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-postgres-server-'))
  /** The server refuses to run as root: there its own user runs it. */
  readonly #owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

  private constructor(programs: string, port: number) {
    this.#programs = programs
    this.port = port
  }

  /** @returns a server that accepts connections; `remove` it after `kill` */
  static async start(programs: string): Promise<PostgresServer> {
    const server = new PostgresServer(programs, await freePort())
    server.give(server.#folder)
    await server.#run('initdb', ['-U', 'svc', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'])
    await server.start()
    return server
  }

  /** A killed server leaves processes that take a moment to go; until then it does not start. */
  async start(): Promise<void> {
    // What a killed server had acknowledged is with the kernel by then.
    const settings = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=50 -c fsync=off`
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#run('pg_ctl', ['-w', '-l', join(this.#folder, 'log'), '-o', settings, 'start'])
        return
      } catch (error) {
        if (attempt === 40) throw error
        await sleep(100)
      }
    }
  }

  /** Breaks its connections off, and rolls back what was open. */
  async stop(): Promise<void> {
    await this.#run('pg_ctl', ['-w', '-m', 'fast', 'stop'])
  }

  /** No last words. Its processes first: stopped, it does not replace them. */
  async kill(): Promise<void> {
    const file = join(this.#folder, 'postmaster.pid')
    if (!existsSync(file)) return
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    signal(pid, 'SIGSTOP')
    for (const child of childrenOf(pid)) signal(child, 'SIGKILL')
    signal(pid, 'SIGKILL')
    while (existsSync(`/proc/${pid}/exe`)) await sleep(20)
  }

  /** It takes connections and bytes, and answers nothing, as behind a network that swallows; `resume` ends it. */
  pause(): void {
    for (const pid of this.#processes()) signal(pid, 'SIGSTOP')
  }

  resume(): void {
    for (const pid of this.#processes()) signal(pid, 'SIGCONT')
  }

  #processes(): number[] {
    const pid = Number.parseInt(readFileSync(join(this.#folder, 'postmaster.pid'), 'utf8'), 10)
    return [pid, ...childrenOf(pid)]
  }

  /** Statements of the server's administrator. */
  async administer(...statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: this.url('postgres') })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  url(database: string): string {
    return `postgres://svc:secret@127.0.0.1:${this.port}/${database}`
  }

  /** Makes a folder the property of the user that runs the server. */
  give(folder: string): void {
    const { uid, gid } = this.#owner
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = spawn(join(this.#programs, program), ['-D', this.#folder, ...args], {
      ...this.#owner,
      cwd: '/',
      stdio: 'ignore'
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`${program} ended with ${code}`)
  }
}

function idOf(flag: string): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
}

function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').map(Number).filter(Boolean) : []
}

/** The process may have ended by itself since. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
