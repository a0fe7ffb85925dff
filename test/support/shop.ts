/** A newcomer's application in a folder of its own outside the repository, and the port it runs on. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { copyCreatedApp } from './created-app.ts'
import { freePort } from './ports.ts'
import { type Finished, Running, svc, svcBin } from './svc-command.ts'

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
  static async create(t: Test, preset = 'minimal'): Promise<Shop> {
    const folder = join(await temporaryFolder(t), 'shop')
    await copyCreatedApp(folder, preset)
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

export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(PREFIX)
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}
