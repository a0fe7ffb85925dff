/**
 * The applications that are measured, with packages as an install has them: what is published of ours is copied, the
 * rest is linked. So bundles are measured, and no package is there twice.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { stageAll } from '../../support/packed-packages.ts'
import { repository, svc } from '../../support/svc-command.ts'
import type { Server } from './start-process.ts'

export const PRESETS = ['minimal', 'api', 'full'] as const

/** @param folder empty; takes `node_modules` and a folder for each application */
export async function installApps(folder: string): Promise<Map<string, Server>> {
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await stageAll(modules)
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (!existsSync(join(modules, name))) await symlink(join(repository, 'node_modules', name), join(modules, name))
  }
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
