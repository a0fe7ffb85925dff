/** `svc create controller`: one file with one route; an existing file is never touched. */
import { constants, existsSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { readPackage } from '../application/app-packages.ts'
import { findRoot } from '../application/find-root.ts'
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
  const path = join(root, 'controllers', `${name}.ts`)
  const source = controllerSource(name, normalPrefix(route), readPackage(root).name ?? 'app')
  if (existsSync(path)) throw new CommandError(exists(path, root))
  if (dryRun !== true) await writeNew(path, source, root)
  print(`CREATE ${relative(process.cwd(), path)} (${Buffer.byteLength(source)} bytes)`)
  print(
    dryRun === true
      ? '\nNothing was written (--dry-run).'
      : `\nGET ${normalPrefix(route)}/${name} answers as soon as the server has reloaded.`
  )
}

async function writeNew(path: string, source: string, root: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL)
    await file.writeFile(source)
    await file.close()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CommandError(exists(path, root), 1, { cause: error })
    throw new CommandError(
      { code: 'SVC_CREATE_FAILED', message: `the controller was not written: ${message}`, at: path },
      1,
      { cause: error }
    )
  }
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

function exists(path: string, root: string) {
  return {
    code: 'SVC_CREATE_EXISTS',
    message: `${relative(root, path)} exists already`,
    at: path,
    fix: 'choose another name, or edit the file'
  }
}
