/** `svc create controller`: one file with one route; an existing file is never touched. */
import { readPackage } from '../application/app-packages.ts'
import { findRoot } from '../application/find-application.ts'
import { writeNewFiles } from '../application/write-new-files.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import { controllerSource, normalPrefix } from './controller-source.ts'
import { checkPartName } from './create-part.ts'

export interface CreateControllerOptions extends AppOptions {
  /** Path in front of the routes. */
  route: string
  dryRun?: true
}

/** @throws CommandError SVC_NO_CONFIG, SVC_CREATE_NAME, SVC_CREATE_ROUTE or SVC_CREATE_EXISTS */
export async function createController(
  name: string,
  { root: given, route, dryRun }: CreateControllerOptions
): Promise<void> {
  const root = findRoot(given, `svc create controller ${name}`)
  checkPartName('controller', name)
  checkRoute(route)
  const text = controllerSource(name, normalPrefix(route), readPackage(root).name ?? 'app')
  await writeNewFiles(root, [{ path: `controllers/${name}.ts`, text }], { dryRun })
  if (dryRun !== true) print(`\nGET ${normalPrefix(route)}/${name} answers as soon as the server has reloaded.`)
}

function checkRoute(route: string): void {
  if (/^[\w\-./:]*$/.test(route)) return
  throw new CommandError(
    {
      code: 'SVC_CREATE_ROUTE',
      message: 'the route is not a path',
      at: '--route',
      got: route,
      expected: 'a path such as /api',
      fix: '--route /api'
    },
    2
  )
}
