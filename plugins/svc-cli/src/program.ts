/** The command line: names, arguments, options, one line of help each. No command does its work here. */
import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { withAppOptions, withOutputOptions } from './options.ts'

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
  addUpgrade(program)
  addRunning(program)
  addAsking(program)
  addKeys(program)
  addUsers(program)
  addUserChanges(program)
  addData(program)
  addWebhooks(program)
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
  withOutputOptions(
    child(create, 'app [name]', 'a new application in a new folder; without a name it is named for --dir')
  )
    .option('--preset <name>', 'what it starts with: minimal, api or full', 'minimal')
    .addOption(
      new Option('--database <kind>', 'where preset full keeps its data (default: sql)').choices(['sql', 'documents'])
    )
    .addOption(
      new Option('--test <runner>', 'what its tests run with (default: node; with preset full: tap)').choices([
        'node',
        'tap'
      ])
    )
    .option('--dir <folder>', 'the folder, when it is not named as the application')
    .option('--dry-run', 'print what would be written')
    .option('--force', 'write the missing files into a folder that is not empty')
    .action(command(() => import('./create/create-app.ts'), 'createApp'))
  withAppOptions(child(create, 'controller <name>', 'a controller with one route'))
    .option('--route <path>', 'path in front of its routes', '/api')
    .option('--dry-run', 'print what would be written')
    .action(command(() => import('./create/create-controller.ts'), 'createController'))
  for (const kind of ['voter', 'authenticator', 'test'] as const) {
    withAppOptions(child(create, `${kind} <name>`, PART_TEXTS[kind]))
      .option('--dry-run', 'print what would be written')
      .action(async (name, options) => (await import('./create/create-part.ts')).createPart(kind, name, options))
  }
  withAppOptions(child(create, 'entity <Name> <fields...>', 'an entity with its REST controller, and a test of both'))
    .addHelpText(
      'after',
      '\nFields: title:string body:text? slug:string! (? may be null, ! is unique)\nRelations: author:Author (many-to-one; with ! one-to-one)'
    )
    .option('--route <path>', 'path of its rows (default: the plural of its name, under /api)')
    .option('--timestamps', 'keep createdAt and updatedAt')
    .option('--soft-delete', 'mark deleted rows, and keep them')
    .option('--row-version', 'refuse a change of a row that was changed meanwhile')
    .option('--dry-run', 'print what would be written')
    .option('--force', 'write missing files, keep existing ones')
    .action(command(() => import('./create/create-entity.ts'), 'createEntity'))
}

function addData(program: Command): void {
  withAppOptions(child(program, 'orm:reset', 'drop and recreate all tables; development only, deletes data'))
    .option('--yes', 'do not ask for confirmation')
    .action(command(() => import('./data/reset-databases.ts'), 'resetDatabases'))
  withAppOptions(child(program, 'orm:seed [names...]', 'run the seeds that have not run'))
    .option('--connector <name>', 'one database alone')
    .option('--again', 'also those that have run')
    .action(command(() => import('./data/seed-databases.ts'), 'seedDatabases'))
  const migrating = (usage: string, description: string): Command =>
    withAppOptions(child(program, usage, description)).option('--connector <name>', 'one database alone')
  migrating('orm:baseline', 'write the migration that makes what the database has already')
    .option('--dry-run', 'print what would be written')
    .action(command(() => import('./data/migrate-databases.ts'), 'baselineDatabase'))
  migrating('orm:diff <name>', 'write a migration for what changed in the entities')
    .option('--dry-run', 'print what would be written')
    .action(command(() => import('./data/migrate-databases.ts'), 'diffEntities'))
  migrating('orm:migrate', 'run the migrations that have not run')
    .option('--dry-run', 'print the SQL; what it does is undone')
    .action(command(() => import('./data/migrate-databases.ts'), 'migrateDatabases'))
  migrating('orm:rollback', 'undo the last migration')
    .option('--steps <number>', 'how many', '1')
    .option('--dry-run', 'print the SQL; what it does is undone')
    .option('--yes', 'do not ask before rows are deleted')
    .action(command(() => import('./data/migrate-databases.ts'), 'rollbackDatabases'))
  migrating('orm:status', 'migrations, and where databases differ from the entities; fails where something is open')
    .option('--json', 'as JSON')
    .action(command(() => import('./data/migrate-databases.ts'), 'statusOfDatabases'))
}

function addModules(program: Command): void {
  withAppOptions(
    child(program, 'module:add <name>', 'list a module in svc.config.ts: sql, docdb, audit, webhooks, ops, ...')
  )
    .option('--dry-run', 'print what would be written')
    .action(command(() => import('./modules/add-module.ts'), 'addModule'))
}

function addUpgrade(program: Command): void {
  withAppOptions(
    child(
      program,
      'upgrade',
      'move imports to where their names are now; list what a new application has beyond this one'
    )
  )
    .option('--dry-run', 'print what would be written')
    .action(command(() => import('./upgrade/upgrade.ts'), 'upgrade'))
}

function addRunning(program: Command): void {
  withAppOptions(child(program, 'dev', 'serve with hot reload; the port never closes'))
    .option('--admin <identifier>', 'an administrator with a new password, printed once; development only')
    .action(command(() => import('./dev/dev.ts'), 'dev'))
  withAppOptions(child(program, 'build', 'compile into dist/')).action(
    command(() => import('./build/build.ts'), 'build')
  )
  withAppOptions(child(program, 'start', 'serve what was built, in production mode')).action(
    command(() => import('./build/start.ts'), 'start')
  )
}

function addAsking(program: Command): void {
  withAppOptions(child(program, 'routes', 'list every route with its zone and guard'))
    .option('--json', 'as JSON')
    .action(command(() => import('./inspect/routes.ts'), 'routes'))
  withAppOptions(child(program, 'explain <method> <path>', 'why a caller gets in, or does not'))
    .addOption(new Option('--as <identifier>', 'the caller').default('anonymous'))
    .option('--roles <names>', 'roles in place of those that the caller has, separated by commas')
    .option('--scopes <names>', 'scopes of the API key or access token, separated by commas')
    .option('--json', 'as JSON')
    .action(command(() => import('./explain/explain.ts'), 'explain'))
  withAppOptions(child(program, 'info', 'versions, modules, stores, databases, and what the boot warns of'))
    .alias('doctor')
    .option('--json', 'as JSON')
    .action(command(() => import('./inspect/info.ts'), 'info'))
  withOutputOptions(
    child(program, 'docs [topic]', 'the documentation, offline: a page, an error code, or the list of both')
  ).action(command(() => import('./inspect/docs.ts'), 'docs'))
  withAppOptions(child(program, 'config:check', 'every mistake in svc.config.ts, without starting'))
    .option('--json', 'as JSON')
    .action(command(() => import('./inspect/config-check.ts'), 'configCheck'))
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
    .action(command(() => import('./keys/keys.ts'), 'listKeys'))
  keyCommand('generate', 'a first key set').action(command(() => import('./keys/keys.ts'), 'generateKeys'))
  keyCommand('rotate', 'a new key that takes over in two minutes').action(
    command(() => import('./keys/keys.ts'), 'rotateKeySet')
  )
}

function addWebhooks(program: Command): void {
  const webhooks = withOutputOptions(
    child(program, 'webhooks', 'endpoints and deliveries of a running server, over its admin API')
  ).helpCommand(false)
  const asking = (usage: string, description: string): Command =>
    withOutputOptions(child(webhooks, usage, description))
      .option('--url <origin>', 'the server (default: SVC_URL, else http://127.0.0.1:5151)')
      .option('--key <key>', 'an API key of an administrator (default: SVC_API_KEY, which no list of processes shows)')
      .option('--json', 'as JSON')
  asking('list', 'every endpoint, with its state').action(
    command(() => import('./webhooks/webhooks.ts'), 'listWebhooks')
  )
  asking('test <id>', 'send a test message to one endpoint').action(
    command(() => import('./webhooks/webhooks.ts'), 'testWebhook')
  )
  asking('resend <id> <messageId>', 'send a message of the history again').action(
    command(() => import('./webhooks/webhooks.ts'), 'resendWebhook')
  )
  asking('recover <id>', 'send again what an endpoint missed, and wait for the end')
    .requiredOption('--since <time>', 'of the first event: ISO 8601, or milliseconds since 1970')
    .option('--until <time>', 'of the last event; now when left out')
    .addOption(new Option('--status <kind>', 'one kind alone').choices(['failed', 'missing']))
    .action(command(() => import('./webhooks/webhooks.ts'), 'recoverWebhook'))
  asking('tail <id>', 'print deliveries as they end, until Ctrl-C')
    .option('--outcome <name>', 'one outcome alone: delivered, failed, exhausted or abandoned')
    .action(command(() => import('./webhooks/webhooks.ts'), 'tailWebhook'))
  asking('listen', 'a temporary endpoint on this machine, for development, until Ctrl-C')
    .option('--root <folder>', 'the application folder, when it is not the current one')
    .option('--forward <url>', 'where each verified message is handed on to')
    .option('--event <pattern>', 'what it gets; may be given several times, everything when left out', collect, [])
    .action(command(() => import('./webhooks/listen.ts'), 'listenToWebhooks'))
}

function addUsers(program: Command): void {
  withAppOptions(child(program, 'user:create <identifier>', 'a user who can log in'))
    .option('--role <name>', 'a role of the user; may be given several times', collect, [] as string[])
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .action(command(() => import('./data/create-user.ts'), 'createUser'))
}

function addUserChanges(program: Command): void {
  withAppOptions(child(program, 'user:list', 'the users that the application keeps'))
    .option('--role <name>', 'those who hold this role themselves')
    .option('--json', 'as JSON')
    .action(command(() => import('./data/change-users.ts'), 'listUsers'))
  withAppOptions(child(program, 'user:roles <identifier>', 'replace the roles of a user'))
    .option(
      '--role <name>',
      'a role of the user; may be given several times, none takes all away',
      collect,
      [] as string[]
    )
    .action(command(() => import('./data/change-users.ts'), 'setUserRoles'))
  withAppOptions(child(program, 'user:reset <identifier>', 'a new password; sessions and tokens of the user end'))
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .action(command(() => import('./data/change-users.ts'), 'resetUser'))
}

/**
 * The action of a command: its arguments, then its options, are those of an exported function, whose module is loaded
 * when the command runs.
 */
function command<Name extends string>(load: () => Promise<Record<Name, (...given: never[]) => unknown>>, name: Name) {
  return async (...given: unknown[]): Promise<void> => {
    const act = (await load())[name] as (...given: unknown[]) => unknown
    await act(...given.slice(0, -1))
  }
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
