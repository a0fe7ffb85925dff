/** A PostgreSQL server of Debian's packages: stopped, killed, and its database on a disk that fills up. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../../journeys/free-port.ts'
import { SmallDisk } from '../small-disk.ts'
import type { Absent, Backend } from './backend.ts'

const DEBIAN = '/usr/lib/postgresql'
const DISK_MB = 48
const DATABASE = 'campaign'

export async function postgres(): Promise<Backend | Absent> {
  const programs = newestPrograms()
  if (programs === null) return { name: 'postgres', absent: 'no PostgreSQL server is installed' }
  const server = new Server(programs, await freePort())
  await server.create()
  await server.start()
  const disk = SmallDisk.open('postgres', DISK_MB)
  await server.makeDatabase(disk)
  return {
    name: 'postgres',
    storage: `postgres://svc:secret@127.0.0.1:${server.port}/${DATABASE}`,
    faults: [
      { name: 'the server stops', readable: false, strike: () => server.stop(), mend: () => server.start() },
      { name: 'the server is killed', readable: false, strike: () => server.kill(), mend: () => server.start() },
      ...(disk.mounted ? disk.faults() : [])
    ],
    missing: disk.mounted ? [] : ['no file system can be mounted here: nothing was tried on a full disk'],
    async close() {
      await server.kill()
      disk.close()
      server.remove()
    }
  }
}

function newestPrograms(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(DEBIAN, version, 'bin')).find((bin) => existsSync(join(bin, 'pg_ctl'))) ?? null
}

class Server {
  readonly port: number
  readonly #programs: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'svc-campaign-server-'))
  /** The server refuses to run as root: there its own user runs it. */
  readonly #owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

  constructor(programs: string, port: number) {
    this.#programs = programs
    this.port = port
  }

  async create(): Promise<void> {
    const { uid, gid } = this.#owner
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid)
    await this.#run('initdb', ['-U', 'svc', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'])
  }

  /** A killed server leaves processes that take a moment to go; until then it does not start. */
  async start(): Promise<void> {
    const settings = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=50`
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

  /** In a tablespace on this disk, so that the write-ahead log keeps its room: a full disk there ends the whole server. */
  async makeDatabase(disk: SmallDisk): Promise<void> {
    const { uid, gid } = this.#owner
    if (uid !== undefined && gid !== undefined) chownSync(disk.folder, uid, gid)
    chmodSync(disk.folder, 0o700)
    const client = new pg.Client({ host: '127.0.0.1', port: this.port, user: 'svc', database: 'postgres' })
    await client.connect()
    await client.query(`create tablespace small location '${disk.folder}'`)
    await client.query(`create database ${DATABASE} tablespace small`)
    await client.end()
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
