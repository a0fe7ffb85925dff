/** The applications that are measured, created and built as people do, with packages as an install has them. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { svc } from '../../support/svc-command.ts'
import { installPackages } from '../measured/installed-packages.ts'
import type { Server } from './start-process.ts'

export const PRESETS = ['minimal', 'api', 'full'] as const

/** @param folder empty; takes `node_modules` and a folder for each application */
export async function installApps(folder: string): Promise<Map<string, Server>> {
  await installPackages(folder)
  const servers = new Map<string, Server>()
  for (const preset of PRESETS) servers.set(preset, await createBuilt(folder, preset))
  return servers
}

async function createBuilt(folder: string, preset: string): Promise<Server> {
  for (const [args, cwd] of [
    [['create', 'app', preset, '--preset', preset], folder],
    [['build'], join(folder, preset)]
  ] as const) {
    const { code, stdout, stderr } = await svc(args, { cwd })
    if (code !== 0) throw new Error(`svc ${args.join(' ')} failed: ${stdout}${stderr}`)
  }
  const cwd = join(folder, preset)
  await mkdir(join(cwd, 'data'), { recursive: true })
  return { name: preset, script: [join(cwd, 'dist/app.js')], cwd, env: { DATABASE_URL: 'sqlite:data/app.db' } }
}
