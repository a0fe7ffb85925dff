/** A private PostgreSQL server on a free port, in a temporary folder; `null` programs where the machine has none. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'

interface Owner {
  readonly uid?: number
  readonly gid?: number
}

const DEBIAN = '/usr/lib/postgresql'

/** The folder of the newest installed server. */
export const postgresPrograms: string | null = (() => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  const newest = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(DEBIAN, version, 'bin'))
  return newest.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
})()

export class PostgresServer {
  readonly port: number
  readonly #programs: string
  readonly #folder: string
  readonly #owner: Owner
  #child: ChildProcess | null = null
  #databases = 0

  private constructor(programs: string, folder: string, port: number, owner: Owner) {
    this.#programs = programs
    this.#folder = folder
    this.port = port
    this.#owner = owner
  }

  /** It does not keep its process from ending, and ends with it. */
  static async start(programs: string): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'))
    const owner = serverOwner()
    if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid)
    const args = ['-D', folder, '-U', 'svc', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N']
    execFileSync(join(programs, 'initdb'), args, { ...owner, cwd: folder, stdio: 'ignore' })
    return PostgresServer.#in(folder, programs, owner)
  }

  /** A standby that streams from this server, started, on a port of its own. */
  async standby(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-standby-'))
    const { uid, gid } = this.#owner
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid)
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'svc']
    const args = [...from, '-D', folder, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
    execFileSync(join(this.#programs, 'pg_basebackup'), args, { ...this.#owner, cwd: folder, stdio: 'ignore' })
    return PostgresServer.#in(folder, this.#programs, this.#owner)
  }

  /** Starts the server of a folder, which goes with the process. */
  static async #in(folder: string, programs: string, owner: Owner): Promise<PostgresServer> {
    const server = new PostgresServer(programs, folder, await freePort(), owner)
    process.once('exit', () => {
      server.#signalAll()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    })
    await server.start()
    return server
  }

  /** Resolves once it accepts connections. A server that was killed leaves helpers which take a moment to go. */
  async start(): Promise<void> {
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const child = spawn(join(this.#programs, 'postgres'), this.#settings(), {
        ...this.#owner,
        cwd: this.#folder,
        stdio: ['ignore', 'ignore', 'pipe']
      })
      for await (const line of createInterface({ input: child.stderr })) {
        if (!/ready to accept (?:read-only )?connections/.test(line)) continue
        child.stderr.resume()
        child.unref()
        ;(child.stderr as Socket).unref()
        this.#child = child
        return
      }
    }
    throw new Error('the server does not start')
  }

  /** SIGKILL: no last words, open transactions break off. */
  async kill(): Promise<void> {
    const child = this.#child
    if (child === null) return
    child.ref()
    this.#signalAll()
    this.#child = null
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  /** Its processes first, which would outlive it for a moment and answer on; stopped, it does not replace them. */
  #signalAll(): void {
    const child = this.#child
    if (child === null) return
    child.kill('SIGSTOP')
    for (const pid of childrenOf(child.pid)) endNow(pid)
    child.kill('SIGKILL')
  }

  /** Stops answering without closing a connection, until `thaw`. */
  freeze(): void {
    this.#child?.kill('SIGSTOP')
  }

  thaw(): void {
    this.#child?.kill('SIGCONT')
  }

  /** A new, empty database. @returns its URL */
  async createDatabase(): Promise<string> {
    this.#databases += 1
    const name = `svc_${this.#databases}`
    const client = new pg.Client({ connectionString: this.url('postgres') })
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return this.url(name)
  }

  url(database: string): string {
    return `postgres://svc:secret@127.0.0.1:${this.port}/${database}`
  }

  #settings(): string[] {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: '',
      // What a killed server had acknowledged is with the kernel by then.
      fsync: 'off',
      max_connections: '100',
      // A standby that starts late still finds what it missed.
      wal_keep_size: '512MB'
    }
    return ['-D', this.#folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  }
}

function childrenOf(pid: number | undefined): number[] {
  const list = `/proc/${pid}/task/${pid}/children`
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').map(Number).filter(Boolean) : []
}

/** It may have ended by itself since. */
function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error
  }
}

/** The server refuses to run as root: there its own user runs it. */
function serverOwner(): Owner {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
