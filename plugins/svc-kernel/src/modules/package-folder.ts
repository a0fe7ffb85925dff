/** The folder of an application's package: a build folder has no package.json of its own. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @returns the nearest folder with a package.json, from `folder` upwards; `folder` itself where there is none */
export function packageFolder(folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, 'package.json'))) return current
    if (dirname(current) === current) return folder
  }
}
