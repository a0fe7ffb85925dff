/**
 * Packages as an install has them: what is published of ours is copied, the rest is linked. So bundles are measured, and
 * no package is there twice.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { stageAll } from '../../support/packed-packages.ts'
import { repository } from '../../support/svc-command.ts'

/** @param folder takes `node_modules` */
export async function installPackages(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await stageAll(modules)
  for (const name of await readdir(join(repository, 'node_modules'))) {
    if (!existsSync(join(modules, name))) await symlink(join(repository, 'node_modules', name), join(modules, name))
  }
}
