/** A newcomer's application in a folder of its own outside the repository, and the port it runs on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from './ports.ts'
import { type Finished, Running, repository, svc, svcBin } from './svc-command.ts'

const PREFIX = join(tmpdir(), 'svc-journey-')

export class Shop {
  readonly folder: string
  readonly port: number
  readonly #t: Test

  private constructor(t: Test, folder: string, port: number) {
    this.#t = t
    this.folder = folder
    this.port = port
  }

  /** `svc create app shop`, with the repository's packages in place of an install. */
  static async create(t: Test): Promise<Shop> {
    const folder = join(await temporaryFolder(t), 'shop')
    original ??= createOriginal()
    await cp(await original, folder, { recursive: true })
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
    return new Shop(t, folder, await freePort())
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  path(file: string): string {
    return join(this.folder, file)
  }

  read(file: string): Promise<string> {
    return readFile(this.path(file), 'utf8')
  }

  write(file: string, text: string): Promise<void> {
    return writeFile(this.path(file), text)
  }

  async edit(file: string, from: string | RegExp, to: string): Promise<void> {
    const text = await this.read(file)
    const edited = text.replace(from, to)
    if (edited === text) throw new Error(`${file} has no ${from}`)
    await this.write(file, edited)
  }

  svc(...args: string[]): Promise<Finished> {
    return svc(args, { cwd: this.folder, env: { PORT: String(this.port) } })
  }

  /** `svc dev`, up and answering; it is stopped with the test. */
  async dev(): Promise<Running> {
    const running = this.start(['dev'])
    await running.shows(/is ready at/)
    return running
  }

  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
    const running = new Running(process.execPath, [svcBin, ...args], {
      cwd: this.folder,
      env: { PORT: String(this.port), ...env }
    })
    this.#t.teardown(() => running.stop('SIGKILL'))
    return running
  }

  async get(path: string): Promise<{ status: number; headers: Headers; body: unknown }> {
    const answer = await fetch(this.url + path)
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
  }
}

/** Created once in a process, and copied by every test. */
let original: Promise<string> | null = null

async function createOriginal(): Promise<string> {
  const parent = mkdtempSync(PREFIX)
  process.once('exit', () => rmSync(parent, { recursive: true, force: true }))
  const created = await svc(['create', 'app', 'shop'], { cwd: parent })
  if (created.code !== 0) throw new Error(`svc create app failed: ${created.stderr}`)
  return join(parent, 'shop')
}

export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(PREFIX)
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}
