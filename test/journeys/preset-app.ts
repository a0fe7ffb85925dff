/** An application made from a preset and built, with the repository's packages in place of an install. */
import { join } from 'node:path'
import type { Test } from 'tap'
import { copyBuiltApp } from '../support/created-app.ts'
import { freePort } from '../support/ports.ts'
import { temporaryFolder } from '../support/shop.ts'
import { Running, svc, svcBin } from '../support/svc-command.ts'

type Environment = Readonly<Record<string, string>>

/** How development prints a warning and a failure; production writes JSON with a level. */
const MARKED = /^\s*[▲✖]/
const WARN = 40

export class PresetApp {
  readonly folder: string
  readonly #t: Test

  private constructor(t: Test, folder: string) {
    this.#t = t
    this.folder = folder
  }

  static async create(t: Test, preset: string): Promise<PresetApp> {
    const folder = join(await temporaryFolder(t), 'shop')
    await copyBuiltApp(folder, preset)
    return new PresetApp(t, folder)
  }

  /** `svc start`, listening, with its log as it is written. Stopped with the test. */
  async start(env: Environment): Promise<{ running: Running; url: string }> {
    const port = await freePort()
    const args = [svcBin, 'start']
    const running = new Running(process.execPath, args, { cwd: this.folder, env: { ...env, PORT: String(port) } })
    this.#t.teardown(() => running.stop('SIGKILL'))
    await running.shows(/Server listening at|is ready at/)
    return { running, url: `http://127.0.0.1:${port}` }
  }

  /** The lines of level warn and above, from the boot to the end of an orderly stop. */
  async warningsOf(env: Environment): Promise<string[]> {
    const { running } = await this.start(env)
    const { stdout, stderr } = await running.stop()
    const lines = (stdout + stderr).split('\n')
    return lines.filter((line) => {
      if (!line.startsWith('{')) return MARKED.test(line)
      return (JSON.parse(line) as { level: number }).level >= WARN
    })
  }

  async routes<Row>(env: Environment): Promise<Row[]> {
    const { code, stdout, stderr } = await svc(['routes', '--json'], { cwd: this.folder, env })
    if (code !== 0) throw new Error(`svc routes failed: ${stderr}`)
    return JSON.parse(stdout) as Row[]
  }

  async createUser(identifier: string, roles: readonly string[], password: string): Promise<void> {
    const holding = roles.flatMap((role) => ['--role', role])
    const command = ['user:create', identifier, ...holding, '--password-stdin']
    const { code, stderr } = await svc(command, { cwd: this.folder, stdin: `${password}\n` })
    if (code !== 0) throw new Error(`svc user:create failed: ${stderr}`)
  }
}
