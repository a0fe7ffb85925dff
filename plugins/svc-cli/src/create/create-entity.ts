/** `svc create entity`: an entity, its REST controller and the test of both; all three files or none. */
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readAppConfig } from '../application/app-config.ts'
import { findRoot } from '../application/find-application.ts'
import { type WriteOptions, writeNewFiles } from '../application/write-new-files.ts'
import { CommandError } from '../errors.ts'
import type { AppOptions } from '../options.ts'
import { print } from '../output.ts'
import { type EntityRelation, parseFields } from './entity-fields.ts'
import { entityFolders } from './entity-host.ts'
import {
  cleanEntityName,
  ENTITY_NAME_RULE,
  ENTITY_ROUTE_RULE,
  type EntityNames,
  entityNames,
  isEntityName,
  isEntityRoute
} from './entity-names.ts'
import { entityFiles } from './entity-source.ts'
import { filesForRunner } from './test-runner.ts'

export interface CreateEntityOptions extends AppOptions, WriteOptions {
  /** Path of its rows. Default: the plural of the name, under `/api`. */
  route?: string
  timestamps?: true
  softDelete?: true
  rowVersion?: true
}

/**
 * @param specs fields, as `title:string`
 * @throws CommandError SVC_CREATE_NAME, SVC_CREATE_FIELD, SVC_CREATE_ROUTE (2), SVC_NO_CONFIG, SVC_MODULE_MISSING,
 * SVC_CREATE_EXISTS
 */
export async function createEntity(
  name: string,
  specs: readonly string[],
  options: CreateEntityOptions
): Promise<void> {
  const command = `svc create entity ${name} ${specs.join(' ')}`
  findRoot(options.root, command)
  checkName(name, specs)
  checkRoute(options.route)
  const { fields, relations, problems } = parseFields(specs)
  if (problems.length > 0) throw new CommandError(problems, 2)
  const names = entityNames(name, options.route)
  const config = await readAppConfig(options, command)
  const folders = entityFolders(config)
  checkTargets(relations, names.entity, join(config.root, folders.entities))
  const { timestamps, softDelete, rowVersion: version } = options
  const asked = { timestamps, softDelete, version }
  const kept = (['timestamps', 'softDelete', 'version'] as const).filter((part) => asked[part] === true)
  const files = filesForRunner(config.root, entityFiles(names, { fields, relations, kept }, folders))
  await writeNewFiles(config.root, files, options)
  if (options.dryRun !== true) printNextSteps(names)
}

/** An entity refers to those that are there, or to itself. */
function checkTargets(relations: readonly EntityRelation[], entity: string, folder: string): void {
  const absent = relations.filter(({ target }) => {
    return target !== entity && !existsSync(join(folder, `${entityNames(target).file}.ts`))
  })
  const [own] = relations.filter(({ target, nullable }) => target === entity && !nullable)
  if (own !== undefined) throw new CommandError(endless(own), 2)
  if (absent.length === 0) return
  throw new CommandError(
    absent.map(({ name, target }) => ({
      code: 'SVC_CREATE_FIELD',
      message: `there is no entity ${target} in ${basename(folder)}`,
      at: `${name}:${target}`,
      expected: 'an entity with a file there, or a type of a field',
      fix: `npx svc create entity ${target} name:string, first`
    })),
    2
  )
}

/** A reference names a row that exists, and the first row has none to name. */
function endless({ name, target }: EntityRelation) {
  return {
    code: 'SVC_CREATE_FIELD',
    message: `no first ${target} could be created, because each has to name another one`,
    at: `${name}:${target}`,
    fix: `${name}:${target}?`
  }
}

function printNextSteps({ route, entity }: EntityNames): void {
  print(
    [
      '',
      `${route} answers GET, POST, PUT, PATCH, DELETE and WEBSOCKET as soon as the server has reloaded; rows of ${entity} have a place then.`,
      `Every caller the zone of ${route} admits may write: @IsGranted('ROLE_USER') guards a method, npm test tries them all.`
    ].join('\n')
  )
}

function checkName(name: string, specs: readonly string[]): void {
  if (isEntityName(name)) return
  throw new CommandError(
    {
      code: 'SVC_CREATE_NAME',
      message: `"${name}" cannot name an entity`,
      got: name,
      expected: ENTITY_NAME_RULE,
      fix: ['npx svc create entity', cleanEntityName(name), ...specs].join(' ')
    },
    2
  )
}

function checkRoute(route: string | undefined): void {
  if (route === undefined || isEntityRoute(route)) return
  throw new CommandError(
    {
      code: 'SVC_CREATE_ROUTE',
      message: 'the route cannot be the path of rows',
      at: '--route',
      got: route,
      expected: ENTITY_ROUTE_RULE,
      fix: '--route /api/articles'
    },
    2
  )
}
