/** What an application must list before an entity can live in it: storage, a folder of entities, a folder of controllers. */
import { basename, join } from 'node:path'
import type { Problem } from 'svc-kernel'
import type { AppConfig } from '../application/app-config.ts'
import { resolveFrom } from '../application/app-packages.ts'
import { installCommand } from '../application/package-links.ts'
import { CommandError } from '../errors.ts'
import { moduleListLine } from '../modules/module-list.ts'
import type { EntityFolders } from './entity-source.ts'

const MORE = 'npx svc docs entities-and-crud'
const DRIVERS = ['svc-sqlorm', 'svc-docdb']

/** @throws CommandError SVC_MODULE_MISSING, SVC_NOT_INSTALLED */
export function entityFolders(config: AppConfig): EntityFolders {
  const listed = new Map(config.modules.map(({ name, options }) => [name, options]))
  const keepsRows = DRIVERS.some((name) => listed.has(name)) || listed.get('svc-orm')?.memory === true
  if (!keepsRows) throw new CommandError(noStorage(config))
  const entities = listed.get('svc-orm')?.dir
  const controllers = listed.get('svc-decorators')?.dir
  const problems = [
    ...(typeof entities === 'string' ? [] : [noFolder(config, 'svc-orm', 'entities')]),
    ...(typeof controllers === 'string' ? [] : [noFolder(config, 'svc-decorators', 'controllers')])
  ]
  if (problems.length > 0) throw new CommandError(problems)
  return { entities: plain(String(entities)), controllers: plain(String(controllers)) }
}

function noStorage(config: AppConfig): Problem {
  const { root } = config
  if (resolveFrom(root, 'svc-sqlorm') === null) {
    return {
      code: 'SVC_MODULE_MISSING',
      message: 'the SQL module is not installed, and no other module keeps rows',
      at: join(root, 'package.json'),
      fix: `${installCommand(root, ['svc-orm', 'svc-sqlorm'])}, then svc module:add sql`,
      more: MORE
    }
  }
  return {
    code: 'SVC_MODULE_MISSING',
    message: 'the SQL module is installed but not listed in modules',
    at: listOf(config),
    fix: 'npx svc module:add sql',
    more: MORE
  }
}

function noFolder(config: AppConfig, module: string, folder: string): Problem {
  const isListed = config.modules.some(({ name }) => name === module)
  return {
    code: 'SVC_MODULE_MISSING',
    message: `${module} is listed ${isListed ? `without a folder of ${folder}` : 'nowhere'}, so that nothing would load the file`,
    at: listOf(config),
    fix: !isListed && module === 'svc-orm' ? 'npx svc module:add orm' : `[${module}, { dir: './${folder}' }]`,
    more: MORE
  }
}

function listOf({ file, text }: AppConfig): string {
  return `${basename(file)}:${moduleListLine(text) ?? 1}`
}

function plain(folder: string): string {
  return folder
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}
