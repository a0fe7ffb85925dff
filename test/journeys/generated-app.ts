/** An application that fastify-cli's own `generate` lays down, with the repository's packages in place of an install. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/shop.ts'
import { type Finished, Running, repository, run } from '../support/svc-command.ts'

const fastifyCli = join(repository, 'node_modules/fastify-cli/cli.js')

export class GeneratedApp {
  readonly folder: string
  readonly #t: Test

  private constructor(t: Test, folder: string) {
    this.#t = t
    this.folder = folder
  }

  /** @param flags of `fastify generate`, such as `--esm` */
  static async generate(t: Test, ...flags: string[]): Promise<GeneratedApp> {
    const parent = await temporaryFolder(t)
    const { code, stderr } = await run(process.execPath, [fastifyCli, 'generate', 'shop', ...flags], { cwd: parent })
    if (code !== 0) throw new Error(`fastify generate failed: ${stderr}`)
    const folder = join(parent, 'shop')
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
    return new GeneratedApp(t, folder)
  }

  async write(file: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.folder, file)), { recursive: true })
    await writeFile(join(this.folder, file), text)
  }

  async edit(file: string, from: string | RegExp, to: string): Promise<void> {
    const text = await readFile(join(this.folder, file), 'utf8')
    const edited = text.replace(from, to)
    if (edited === text) throw new Error(`${file} has no ${from}`)
    await this.write(file, edited)
  }

  remove(file: string): Promise<void> {
    return rm(join(this.folder, file))
  }

  /** `npm run build:ts`, without npm. */
  compile(): Promise<Finished> {
    const tsc = join(repository, 'node_modules/typescript/bin/tsc')
    return run(process.execPath, [tsc, '--singleThreaded'], { cwd: this.folder })
  }

  /** `fastify start <entry>`; it is stopped with the test. */
  async start(entry: string): Promise<StartedApp> {
    const port = await freePort()
    const args = [fastifyCli, 'start', '-l', 'info', '-a', '127.0.0.1', '-p', String(port), entry]
    const running = new Running(process.execPath, args, { cwd: this.folder })
    this.#t.teardown(() => running.stop('SIGKILL'))
    return { running, port }
  }

  /** Starts, asks, stops. */
  async serving(entry: string, ask: (url: string) => Promise<void>): Promise<void> {
    const { running, port } = await this.start(entry)
    await running.shows(/Server listening at/)
    await ask(`http://127.0.0.1:${port}`)
    await running.stop()
  }
}

export interface StartedApp {
  readonly running: Running
  readonly port: number
}
