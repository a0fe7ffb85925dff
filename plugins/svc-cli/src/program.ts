/** The command line: names, arguments, options, one line of help each. No command does its work here. */
import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import type { CreateEntityOptions } from './create/create-entity.ts'
import type { ListUsersOptions, SetRolesOptions } from './data/change-users.ts'
import type { ResetOptions } from './data/reset-databases.ts'
import type { KeyOptions } from './keys/key-folder.ts'
import type { AddModuleOptions } from './modules/add-module.ts'
import { type AppOptions, type OutputOptions, withAppOptions, withOutputOptions } from './options.ts'

export function buildProgram(): Command {
  const program: Command = withOutputOptions(new Command('svc'))
    .description('Create, develop, build, start and question an svc application.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help; nothing is done')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  addCreate(program)
  addModules(program)
  addRunning(program)
  addAsking(program)
  addKeys(program)
  addUsers(program)
  addUserChanges(program)
  addData(program)
  return program
}

const PART_TEXTS = {
  voter: 'a voter of the jury, and a test of it',
  authenticator: 'a way to prove an identity, and a test of it',
  test: 'a test that calls the application'
}

function addCreate(program: Command): void {
  const create = withOutputOptions(child(program, 'create', 'lay down an application or a part of one')).helpCommand(
    false
  )
  withOutputOptions(child(create, 'app <name>', 'a new application in a new folder'))
    .option('--preset <name>', 'what it starts with: minimal, api or full', 'minimal')
    .option('--dir <folder>', 'the folder, when it is not named as the application')
    .option('--dry-run', 'print what would be written')
    .option('--force', 'write the missing files into a folder that is not empty')
    .action(
      async (name: string, options: OutputOptions & { preset: string; dir?: string; dryRun?: true; force?: true }) => {
        const { createApp } = await import('./create/create-app.ts')
        await createApp(name, options)
      }
    )
  withAppOptions(child(create, 'controller <name>', 'a controller with one route'))
    .option('--route <path>', 'path in front of its routes', '/api')
    .option('--dry-run', 'print what would be written')
    .action(async (name: string, options: AppOptions & { route: string; dryRun?: true }) => {
      const { createController } = await import('./create/create-controller.ts')
      await createController(name, options)
    })
  for (const kind of ['voter', 'authenticator', 'test'] as const) {
    withAppOptions(child(create, `${kind} <name>`, PART_TEXTS[kind]))
      .option('--dry-run', 'print what would be written')
      .action(async (name: string, options: AppOptions & { dryRun?: true }) => {
        const { createPart } = await import('./create/create-part.ts')
        await createPart(kind, name, options)
      })
  }
  withAppOptions(child(create, 'entity <Name> <fields...>', 'an entity with its REST controller, and a test of both'))
    .addHelpText('after', '\nFields: title:string body:text? slug:string! (? may be null, ! is unique)')
    .option('--route <path>', 'path of its rows (default: the plural of its name, under /api)')
    .option('--dry-run', 'print what would be written')
    .option('--force', 'write missing files, keep existing ones')
    .action(async (name: string, fields: string[], options: CreateEntityOptions) => {
      const { createEntity } = await import('./create/create-entity.ts')
      await createEntity(name, fields, options)
    })
}

function addData(program: Command): void {
  withAppOptions(child(program, 'orm:reset', 'drop and recreate all tables; development only, deletes data'))
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: ResetOptions) => {
      const { resetDatabases } = await import('./data/reset-databases.ts')
      await resetDatabases(options)
    })
}

function addModules(program: Command): void {
  withAppOptions(
    child(program, 'module:add <name>', 'list a module in svc.config.ts: sql, docdb, audit, webhooks, ops, ...')
  )
    .option('--dry-run', 'print what would be written')
    .action(async (name: string, options: AddModuleOptions) => {
      const { addModule } = await import('./modules/add-module.ts')
      await addModule(name, options)
    })
}

function addRunning(program: Command): void {
  withAppOptions(child(program, 'dev', 'serve with hot reload; the port never closes')).action(
    async (options: AppOptions) => {
      const { dev } = await import('./dev/dev.ts')
      await dev(options)
    }
  )
  withAppOptions(child(program, 'build', 'compile into dist/')).action(async (options: AppOptions) => {
    const { build } = await import('./build/build.ts')
    await build(options)
  })
  withAppOptions(child(program, 'start', 'serve what was built, in production mode')).action(
    async (options: AppOptions) => {
      const { start } = await import('./build/start.ts')
      await start(options)
    }
  )
}

function addAsking(program: Command): void {
  withAppOptions(child(program, 'routes', 'list every route with its zone and guard'))
    .option('--json', 'as JSON')
    .action(async (options: AppOptions & { json?: true }) => {
      const { routes } = await import('./inspect/routes.ts')
      await routes(options)
    })
  withAppOptions(child(program, 'explain <method> <path>', 'why a caller gets in, or does not'))
    .addOption(new Option('--as <identifier>', 'the caller').default('anonymous'))
    .option('--roles <names>', 'roles in place of those that the caller has, separated by commas')
    .option('--scopes <names>', 'scopes of the API key or access token, separated by commas')
    .option('--json', 'as JSON')
    .action(
      async (
        method: string,
        path: string,
        options: AppOptions & { as: string; roles?: string; scopes?: string; json?: true }
      ) => {
        const { explain } = await import('./explain/explain.ts')
        await explain(method, path, options)
      }
    )
  withAppOptions(child(program, 'info', 'versions, modules, stores, databases, and what the boot warns of'))
    .alias('doctor')
    .option('--json', 'as JSON')
    .action(async (options: AppOptions & { json?: true }) => {
      const { info } = await import('./inspect/info.ts')
      await info(options)
    })
  withOutputOptions(
    child(program, 'docs [topic]', 'the documentation, offline: a page, an error code, or the list of both')
  ).action(async (topic: string | undefined) => {
    const { docs } = await import('./inspect/docs.ts')
    docs(topic)
  })
  withAppOptions(child(program, 'config:check', 'every mistake in svc.config.ts, without starting'))
    .option('--json', 'as JSON')
    .action(async (options: AppOptions & { json?: true }) => {
      const { configCheck } = await import('./inspect/config-check.ts')
      await configCheck(options)
    })
}

function addKeys(program: Command): void {
  const keys = withOutputOptions(child(program, 'keys', 'the keys that access tokens are signed with')).helpCommand(
    false
  )
  const keyCommand = (name: string, description: string): Command =>
    withAppOptions(child(keys, name, description)).option(
      '--dir <folder>',
      'the folder, when the config does not name it'
    )
  keyCommand('list', 'every key, and what it does')
    .option('--json', 'as JSON')
    .action(async (options: KeyOptions & { json?: true }) => {
      const { listKeys } = await import('./keys/keys.ts')
      await listKeys(options)
    })
  keyCommand('generate', 'a first key set').action(async (options: KeyOptions) => {
    const { generateKeys } = await import('./keys/keys.ts')
    await generateKeys(options)
  })
  keyCommand('rotate', 'a new key that takes over in two minutes').action(async (options: KeyOptions) => {
    const { rotateKeySet } = await import('./keys/keys.ts')
    await rotateKeySet(options)
  })
}

function addUsers(program: Command): void {
  withAppOptions(child(program, 'user:create <identifier>', 'a user who can log in'))
    .option('--role <name>', 'a role of the user; may be given several times', collect, [] as string[])
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .action(async (identifier: string, options: AppOptions & { role: string[]; passwordStdin?: true }) => {
      const { createUser } = await import('./data/create-user.ts')
      await createUser(identifier, options)
    })
}

function addUserChanges(program: Command): void {
  withAppOptions(child(program, 'user:list', 'the users that the application keeps'))
    .option('--role <name>', 'those who hold this role themselves')
    .option('--json', 'as JSON')
    .action(async (options: ListUsersOptions) => {
      const { listUsers } = await import('./data/change-users.ts')
      await listUsers(options)
    })
  withAppOptions(child(program, 'user:roles <identifier>', 'replace the roles of a user'))
    .option(
      '--role <name>',
      'a role of the user; may be given several times, none takes all away',
      collect,
      [] as string[]
    )
    .action(async (identifier: string, options: SetRolesOptions) => {
      const { setUserRoles } = await import('./data/change-users.ts')
      await setUserRoles(identifier, options)
    })
  withAppOptions(child(program, 'user:reset <identifier>', 'a new password; sessions and tokens of the user end'))
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .action(async (identifier: string, options: AppOptions & { passwordStdin?: true }) => {
      const { resetUser } = await import('./data/change-users.ts')
      await resetUser(identifier, options)
    })
}

function collect(value: string, before: string[]): string[] {
  return [...before, value]
}

function child(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description)
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
