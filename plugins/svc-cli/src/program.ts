/** The command line: names, arguments, options, one line of help each. No command does its work here. */
import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { addJobs } from './jobs/jobs-command.ts'
import { addOpenapi } from './openapi/openapi-command.ts'
import { child, collect, command, withAppOptions, withOutputOptions } from './options.ts'

export function buildProgram(): Command {
  const program: Command = withOutputOptions(new Command('svc'))
    .description('Create, develop, build, run and inspect an svc application.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
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
  addData(program)
  addJobs(program)
  addWebhooks(program)
  return program
}

const PART_TEXTS = {
  voter: 'a voter and its test',
  authenticator: 'an authenticator and its test',
  test: 'a test that sends requests to the application'
}

function addCreate(program: Command): void {
  const create = withOutputOptions(child(program, 'create', 'create an application or a part of one')).helpCommand(
    false
  )
  withOutputOptions(
    child(create, 'app [name]', 'a new application in a new folder; without a name it takes that of --dir')
  )
    .option('--preset <name>', 'what the application starts with: minimal, api or full', 'minimal')
    .addOption(
      new Option('--database <kind>', 'where preset full keeps its data (default: sql)').choices(['sql', 'documents'])
    )
    .addOption(
      new Option('--test <runner>', 'the test runner (default: node; with preset full: tap)').choices(['node', 'tap'])
    )
    .option('--dir <folder>', 'the folder, if it differs from the name')
    .option('--dry-run', 'print the files without writing them')
    .option('--force', 'write missing files into a folder that is not empty')
    .action(command(() => import('./create/create-app.ts'), 'createApp'))
  withAppOptions(child(create, 'controller <name>', 'a controller with one route'))
    .option('--route <path>', 'path before its routes', '/api')
    .option('--dry-run', 'print the files without writing them')
    .action(command(() => import('./create/create-controller.ts'), 'createController'))
  for (const kind of ['voter', 'authenticator', 'test'] as const) {
    withAppOptions(child(create, `${kind} <name>`, PART_TEXTS[kind]))
      .option('--dry-run', 'print the files without writing them')
      .action(async (name, options) => (await import('./create/create-part.ts')).createPart(kind, name, options))
  }
  withAppOptions(child(create, 'entity <Name> <fields...>', 'an entity, its REST controller, and a test of both'))
    .addHelpText(
      'after',
      '\nFields: title:string body:text? slug:string! (? nullable, ! unique)\nRelations: author:Author (many-to-one; with ! one-to-one)'
    )
    .option('--route <path>', 'path of its routes (default: the plural of its name, under /api)')
    .option('--timestamps', 'add createdAt and updatedAt')
    .option('--soft-delete', 'mark deleted rows instead of removing them')
    .option('--row-version', 'refuse to overwrite a row that has changed meanwhile')
    .option('--dry-run', 'print the files without writing them')
    .option('--force', 'write missing files, keep existing ones')
    .action(command(() => import('./create/create-entity.ts'), 'createEntity'))
}

function addData(program: Command): void {
  withAppOptions(child(program, 'orm:reset', 'drop and recreate all tables; development only, deletes data'))
    .option('--yes', 'do not ask for confirmation')
    .action(command(() => import('./data/reset-databases.ts'), 'resetDatabases'))
  withAppOptions(child(program, 'orm:seed [names...]', 'run the seeds that have not run yet'))
    .option('--connector <name>', 'one database only')
    .option('--again', 'also run seeds that have run already')
    .action(command(() => import('./data/seed-databases.ts'), 'seedDatabases'))
  withAppOptions(
    child(
      program,
      'orm:check',
      'list references to rows that do not exist, and circles of trees; exit code 1 if there are any'
    )
  )
    .option('--connector <name>', 'one database only')
    .option('--repair', 'set the references to null, or delete the rows; asks first')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action(command(() => import('./data/check-references.ts'), 'checkReferences'))
  withAppOptions(
    child(program, 'orm:seal', 'encrypt the values of sealed fields that the first key has not encrypted')
  ).action(command(() => import('./data/seal-rows.ts'), 'sealRows'))
  const migrating = (usage: string, description: string): Command =>
    withAppOptions(child(program, usage, description)).option('--connector <name>', 'one database only')
  migrating('orm:baseline', 'write a first migration from the tables that exist')
    .option('--dry-run', 'print the files without writing them')
    .action(command(() => import('./data/migrate-databases.ts'), 'baselineDatabase'))
  migrating('orm:diff <name>', 'write a migration for the changes of the entities')
    .option('--dry-run', 'print the files without writing them')
    .action(command(() => import('./data/migrate-databases.ts'), 'diffEntities'))
  migrating('orm:migrate', 'run the pending migrations')
    .option('--dry-run', 'print the SQL and roll it back')
    .action(command(() => import('./data/migrate-databases.ts'), 'migrateDatabases'))
  migrating('orm:rollback', 'roll back the last migration')
    .option('--steps <number>', 'how many to roll back', '1')
    .option('--dry-run', 'print the SQL and roll it back')
    .option('--yes', 'delete rows without asking')
    .action(command(() => import('./data/migrate-databases.ts'), 'rollbackDatabases'))
  migrating('orm:status', 'show pending migrations and differences to the entities; exit code 1 if there are any')
    .option('--json', 'print JSON')
    .action(command(() => import('./data/migrate-databases.ts'), 'statusOfDatabases'))
}

function addModules(program: Command): void {
  withAppOptions(
    child(program, 'module:add <name>', 'add a module to svc.config.ts: sql, docdb, audit, webhooks, ops, ...')
  )
    .option('--dry-run', 'print the files without writing them')
    .action(command(() => import('./modules/add-module.ts'), 'addModule'))
}

function addUpgrade(program: Command): void {
  withAppOptions(
    child(program, 'upgrade', 'update imports that have moved; list what a new application has and this one lacks')
  )
    .option('--dry-run', 'print the files without writing them')
    .action(command(() => import('./upgrade/upgrade.ts'), 'upgrade'))
}

function addRunning(program: Command): void {
  withAppOptions(child(program, 'dev', 'serve with hot reload; the port stays open'))
    .option('--admin <identifier>', 'an administrator with a new password, printed once; development only')
    .action(command(() => import('./dev/dev.ts'), 'dev'))
  withAppOptions(child(program, 'build', 'compile into dist/')).action(
    command(() => import('./build/build.ts'), 'build')
  )
  withOutputOptions(
    child(program, 'client', 'write a package of types from an API description, for another repository')
  )
    .requiredOption('--openapi <file>', 'the OpenAPI 3 document in JSON: a file or a URL')
    .requiredOption('--out <folder>', 'the folder of the package')
    .option('--name <name>', 'the name of the package (default: that of the folder)')
    .action(command(() => import('./client/client.ts'), 'writeClient'))
  withAppOptions(child(program, 'start', 'serve the build, in production mode')).action(
    command(() => import('./build/start.ts'), 'start')
  )
}

function addAsking(program: Command): void {
  withAppOptions(child(program, 'routes', 'list every route with its zone and guard'))
    .option('--json', 'print JSON')
    .action(command(() => import('./inspect/routes.ts'), 'routes'))
  withAppOptions(child(program, 'explain <method> <path>', 'show why a request is granted or refused'))
    .addOption(new Option('--as <identifier>', 'the caller').default('anonymous'))
    .option('--roles <names>', 'roles instead of those of the caller, separated by commas')
    .option('--scopes <names>', 'scopes of the API key or access token, separated by commas')
    .option('--proven <seconds>', 'how long ago the caller logged in or confirmed; 0 if absent')
    .option('--factors <names>', 'by what, separated by commas, such as pwd,otp; pwd if absent')
    .option('--json', 'print JSON')
    .action(command(() => import('./explain/explain.ts'), 'explain'))
  addOpenapi(program)
  withAppOptions(child(program, 'info', 'show versions, modules, stores, databases and boot warnings'))
    .option('--json', 'print JSON')
    .action(command(() => import('./inspect/info.ts'), 'info'))
  withAppOptions(child(program, 'doctor', 'show what would hurt in production; exit code 1 if anything would'))
    .option('--instances', 'list what is kept where, and what instances do not share')
    .option('--json', 'print JSON')
    .action(command(() => import('./inspect/doctor.ts'), 'doctor'))
  withAppOptions(
    child(
      program,
      'secrets',
      'count stored secrets by the key that encrypts them; exit code 1 if a former key is needed'
    )
  )
    .option('--json', 'print JSON')
    .action(command(() => import('./inspect/secrets.ts'), 'secrets'))
  withOutputOptions(
    child(program, 'docs [topic...]', 'read the documentation offline: a page, an error code, or what words find')
  )
    .option('--json', 'print JSON')
    .action(command(() => import('./inspect/docs.ts'), 'docs'))
  withAppOptions(child(program, 'config:check', 'check svc.config.ts without starting the application'))
    .option('--json', 'print JSON')
    .action(command(() => import('./inspect/config-check.ts'), 'configCheck'))
}

function addKeys(program: Command): void {
  const keys = withOutputOptions(child(program, 'keys', 'manage the keys that sign access tokens')).helpCommand(false)
  const keyCommand = (name: string, description: string): Command =>
    withAppOptions(child(keys, name, description)).option(
      '--dir <folder>',
      'the folder, if the config does not name it'
    )
  keyCommand('list', 'list the keys and their state')
    .option('--json', 'print JSON')
    .action(command(() => import('./keys/keys.ts'), 'listKeys'))
  keyCommand('generate', 'create the first key set').action(command(() => import('./keys/keys.ts'), 'generateKeys'))
  keyCommand('rotate', 'add a key that signs from two minutes on').action(
    command(() => import('./keys/keys.ts'), 'rotateKeySet')
  )
}

function addWebhooks(program: Command): void {
  const webhooks = withOutputOptions(
    child(program, 'webhooks', 'manage endpoints and deliveries of a running server')
  ).helpCommand(false)
  const asking = (usage: string, description: string): Command =>
    withOutputOptions(child(webhooks, usage, description))
      .option('--url <origin>', 'the server (default: SVC_URL, else http://127.0.0.1:5151)')
      .option('--key <key>', 'an API key of an administrator (default: SVC_API_KEY, which process lists do not show)')
      .option('--json', 'print JSON')
  const act = (name: keyof typeof import('./webhooks/webhooks.ts')) =>
    command(() => import('./webhooks/webhooks.ts'), name)
  asking('list', 'list the endpoints and their state').action(act('listWebhooks'))
  asking('test <id>', 'send a test message to one endpoint').action(act('testWebhook'))
  asking('resend <id> <messageId>', 'send a recorded message again').action(act('resendWebhook'))
  asking('recover <id>', 'send again what an endpoint missed, and wait for the result')
    .requiredOption('--since <time>', 'time of the first event: ISO 8601, or milliseconds since 1970')
    .option('--until <time>', 'time of the last event (default: now)')
    .addOption(new Option('--status <kind>', 'one kind only').choices(['failed', 'missing']))
    .action(act('recoverWebhook'))
  asking('tail <id>', 'print deliveries when they end, until Ctrl-C')
    .option('--outcome <name>', 'one outcome only: delivered, failed, exhausted or abandoned')
    .action(act('tailWebhook'))
  asking('listen', 'receive messages on this machine until Ctrl-C, for development')
    .option('--root <folder>', 'the application folder (default: the current folder)')
    .option('--forward <url>', 'URL that receives each verified message')
    .option('--event <pattern>', 'events to receive; repeatable (default: all)', collect, [])
    .action(command(() => import('./webhooks/listen.ts'), 'listenToWebhooks'))
}

function addUsers(program: Command): void {
  withAppOptions(child(program, 'user:create <identifier>', 'create a user who can log in'))
    .option('--role <name>', 'a role of the user; repeatable', collect, [] as string[])
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .action(command(() => import('./data/create-user.ts'), 'createUser'))
  withAppOptions(child(program, 'user:list', 'list the users'))
    .option('--role <name>', 'only users with this role')
    .option('--json', 'print JSON')
    .action(command(() => import('./data/change-users.ts'), 'listUsers'))
  withAppOptions(child(program, 'user:roles <identifier>', 'replace the roles of a user'))
    .option('--role <name>', 'a role of the user; repeatable (none removes all roles)', collect, [] as string[])
    .action(command(() => import('./data/change-users.ts'), 'setUserRoles'))
  withAppOptions(child(program, 'user:reset <identifier>', 'set a new password; sessions and tokens of the user end'))
    .option('--password-stdin', 'read the password from standard input instead of asking')
    .action(command(() => import('./data/change-users.ts'), 'resetUser'))
}

function ownVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
