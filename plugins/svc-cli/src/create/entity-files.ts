/** The three files of a new entity, each importing the one before it. Pure. */
import { posix } from 'node:path'
import type { EntityField } from './entity-fields.ts'
import type { EntityNames } from './entity-names.ts'
import { entityControllerSource, entitySource } from './entity-source.ts'
import { entityTestSource } from './entity-test-source.ts'
import type { NewFile } from './write-new-files.ts'

/** Where an application keeps its parts, relative to itself: `entities`. */
export interface EntityFolders {
  readonly entities: string
  readonly controllers: string
}

/** The files of an entity, in the folders that the application loads. */
export function entityFiles(names: EntityNames, fields: readonly EntityField[], folders: EntityFolders): NewFile[] {
  const entity = `${folders.entities}/${names.file}.ts`
  const controller = `${folders.controllers}/${names.plural}.ts`
  const test = `test/${names.plural}.test.ts`
  return [
    { path: entity, text: entitySource(names, fields) },
    { path: controller, text: entityControllerSource(names, importPath(controller, entity)) },
    { path: test, text: entityTestSource(names, fields, importPath(test, controller)) }
  ]
}

function importPath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}
