/** Databases for the measurement: a file of SQLite, a PostgreSQL and a Redis of their own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../support/ports.ts'
import { PostgresServer, postgresPrograms } from '../../support/postgres-server.ts'

export interface Engine {
  readonly name: string
  /** A new, empty database. */
  fresh(): Promise<string>
  close(): Promise<void>
}

export function sqlite(): Engine {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-deliveries-'))
  let files = 0
  return {
    name: 'SQLite',
    async fresh() {
      files += 1
      return `sqlite:${join(folder, `${files}.db`)}`
    },
    async close() {
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** @returns `null` where none is installed */
export async function postgres(): Promise<Engine | null> {
  const programs = postgresPrograms()
  if (programs === null) return null
  const server = await PostgresServer.start(programs)
  let databases = 0
  return {
    name: 'PostgreSQL',
    async fresh() {
      databases += 1
      await server.administer(`create database bench_${databases}`)
      return server.url(`bench_${databases}`)
    },
    async close() {
      await server.kill()
      server.remove()
    }
  }
}

/** @returns `null` where none is installed */
export async function redis(): Promise<Engine | null> {
  const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)
  if (program === undefined) return null
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-redis-'))
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'yes', appendfsync: 'everysec', dir: folder }
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface({ input: child.stdout })) if (/ready to accept/i.test(line)) break
  child.stdout.resume()
  let databases = 0
  return {
    name: 'Redis',
    async fresh() {
      databases += 1
      return `redis://127.0.0.1:${port}/${databases}`
    },
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
