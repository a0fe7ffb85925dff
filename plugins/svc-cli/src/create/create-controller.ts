/** `svc create controller`: one file with one route; an existing file is never touched. */
import { readPackage } from '../application/app-packages.ts'
import { findRoot } from '../application/find-application.ts'
import { writeNewFiles } from '../application/write-new-files.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import {
  CONTROLLER_NAME_RULE,
  cleanControllerName,
  controllerSource,
  isControllerName,
  normalPrefix
} from './controller-source.ts'

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
  const command = `npx svc create controller ${name}`
  const root = findRoot(given, { script: command, direct: `svc create controller ${name}` })
  checkName(name)
  checkRoute(route)
  const text = controllerSource(name, normalPrefix(route), readPackage(root).name ?? 'app')
  await writeNewFiles(root, [{ path: `controllers/${name}.ts`, text }], { dryRun })
  if (dryRun !== true) print(`\nGET ${normalPrefix(route)}/${name} answers as soon as the server has reloaded.`)
}

function checkName(name: string): void {
  if (isControllerName(name)) return
  throw new CommandError(
    {
      code: 'SVC_CREATE_NAME',
      message: `"${name}" cannot name a controller`,
      got: name,
      expected: CONTROLLER_NAME_RULE,
      fix: `svc create controller ${cleanControllerName(name)}`
    },
    2
  )
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
