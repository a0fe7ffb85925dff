/** `svc create entity` and `svc module:add` on the real process: files that build and pass their own test, or nothing. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createdApp, edit, emptyApp } from '../support/sandbox.ts'
import { ended, launchNode, runSvc } from '../support/svc-process.ts'

const ALL = [
  'label:string',
  'body:text?',
  'count:integer',
  'price:float?',
  'done:boolean',
  'at:date',
  'extra:json?',
  'code:string!'
]

t.test(
  'an application without storage is refused; module:add lists it; entities of every type build and pass',
  async (t) => {
    const cwd = await createdApp(t)
    const create = ['create', 'entity', 'Post', ...ALL, '--route', '/api/posts']
    const refused = await runSvc(create, { cwd })
    t.equal(refused.code, 1)
    t.match(
      refused.stderr,
      /SVC_MODULE_MISSING {2}the SQL module is installed but not listed in modules\n {2}at: svc\.config\.ts:14\n {2}fix: npx svc module:add sql\n/
    )
    t.notOk(existsSync(join(cwd, 'entities')))

    const before = readFileSync(join(cwd, 'svc.config.ts'), 'utf8')
    const dry = await runSvc(['module:add', 'sql', '--dry-run'], { cwd })
    t.match(dry.stdout, /EDIT svc\.config\.ts\n[\s\S]*Nothing was written/)
    t.equal(readFileSync(join(cwd, 'svc.config.ts'), 'utf8'), before)
    const added = await runSvc(['module:add', 'sql'], { cwd })
    t.equal(added.code, 0, added.stderr)
    t.match(added.stdout, /CREATE entities\/README\.md/)
    const twice = await runSvc(['module:add', 'sql'], { cwd })
    t.equal(twice.code, 1)
    t.match(twice.stderr, /SVC_MODULE_LISTED {2}svc-sqlorm is listed already\n {2}at: svc\.config\.ts:\d+/)
    t.equal((await runSvc(['config:check'], { cwd })).code, 0)

    const dryEntity = await runSvc([...create, '--dry-run'], { cwd })
    t.match(
      dryEntity.stdout,
      /CREATE entities\/post\.ts[\s\S]*CREATE controllers\/posts\.ts[\s\S]*CREATE test\/posts\.test\.ts/
    )
    t.notOk(existsSync(join(cwd, 'entities/post.ts')))
    t.equal((await runSvc(create, { cwd })).code, 0)
    const optional = await runSvc(['create', 'entity', 'Category', 'name:string?'], { cwd })
    t.equal(optional.code, 0, optional.stderr)
    const nobody = await runSvc(['create', 'entity', 'Comment', 'author:Nobody'], { cwd })
    t.match(nobody, { code: 2, stderr: /SVC_CREATE_FIELD {2}there is no entity Nobody in entities/ })
    const endless = await runSvc(['create', 'entity', 'Comment', 'parent:Comment'], { cwd })
    t.match(endless, { code: 2, stderr: /SVC_CREATE_FIELD {2}no first Comment could be created/ })
    const kept = ['--timestamps', '--soft-delete', '--row-version']
    const related = ['create', 'entity', 'Comment', 'text:string', 'post:Post', 'parent:Comment?', ...kept]
    t.match(await runSvc(related, { cwd }), { code: 0, stderr: '' })

    const built = await runSvc(['build'], { cwd })
    t.equal(built.code, 0, built.stdout + built.stderr)
    const tested = await ended(
      launchNode(['--test', '--test-isolation=none', 'dist/test/{posts,categories,comments}.test.js'], cwd)
    )
    t.match(tested.stdout, /pass 11\n.*fail 0\n/, tested.stdout)

    writeFileSync(join(cwd, 'controllers/posts.ts'), '// mine')
    const again = await runSvc(create, { cwd })
    t.equal(again.code, 1)
    t.match(
      again.stderr,
      /SVC_CREATE_EXISTS {2}entities\/post\.ts exists already[\s\S]*controllers\/posts\.ts exists already/
    )
    rmSync(join(cwd, 'test/posts.test.ts'))
    const forced = await runSvc([...create, '--force'], { cwd })
    t.match(forced.stdout, /^CREATE test\/posts\.test\.ts/)
    t.equal(readFileSync(join(cwd, 'controllers/posts.ts'), 'utf8'), '// mine', 'what is there stays')
  }
)

t.test('a list that is computed is not edited; what to add is told', async (t) => {
  const cwd = await createdApp(t)
  await edit(cwd, 'svc.config.ts', [
    "[svcDecorators, { dir: './controllers' }]",
    "...[[svcDecorators, { dir: './controllers' }] as const]"
  ])
  const before = readFileSync(join(cwd, 'svc.config.ts'), 'utf8')
  const { code, stderr } = await runSvc(['module:add', 'sql'], { cwd })
  t.equal(code, 1)
  t.match(
    stderr,
    /SVC_MODULE_EDIT .*nothing was changed\n {2}at: svc\.config\.ts:14\n {2}expected the order svc-orm, svc-sqlorm, svc-security, svc-decorators\n {2}fix: add these lines: import svcOrm from 'svc-orm'; \[svcOrm, /
  )
  t.equal(readFileSync(join(cwd, 'svc.config.ts'), 'utf8'), before)
})

t.test('the document module keeps rows, too; entities without their folder are told of', async (t) => {
  const cwd = await createdApp(t)
  t.equal((await runSvc(['module:add', 'docdb'], { cwd })).code, 0)
  t.equal((await runSvc(['create', 'entity', 'Tag', 'name:string'], { cwd })).code, 0)
  await edit(cwd, 'svc.config.ts', ["[svcOrm, { dir: './entities' }]", 'svcOrm'])
  const { code, stderr } = await runSvc(['create', 'entity', 'Other', 'name:string'], { cwd })
  t.equal(code, 1)
  t.match(stderr, /SVC_MODULE_MISSING {2}svc-orm is listed without a folder of entities/)
})

t.test('what cannot be: names, fields, routes, modules', async (t) => {
  const cwd = emptyApp(t)
  const rows: Array<[args: string[], says: RegExp]> = [
    [
      ['create', 'entity', 'article', 'title:string'],
      /SVC_CREATE_NAME [\s\S]*fix: npx svc create entity Article title:string\n/
    ],
    [['create', 'entity', 'Article'], /SVC_CLI_USAGE/],
    [['create', 'entity', 'Article', 'title:strng', 'n'], /SVC_CREATE_FIELD [\s\S]*SVC_CREATE_FIELD /],
    [['create', 'entity', 'Article', 'title:string', '--route', '/api/:id'], /SVC_CREATE_ROUTE/],
    [['module:add', 'sqll'], /SVC_MODULE_UNKNOWN .*did you mean sql\?/]
  ]
  for (const [args, says] of rows) {
    const result = await runSvc(args, { cwd })
    t.equal(result.code, 2, args.join(' '))
    t.match(result.stderr, says)
  }
})
