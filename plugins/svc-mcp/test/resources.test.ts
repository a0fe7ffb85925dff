/** Resources from the routes of an entity, and prompts from files: what HTTP hides, they hide. */
import { Body, controller, Get, IsGranted, Param, Post, Query } from 'svc-decorators'
import svcOrm, { type CrudQuery, crud, defineEntity, type NewOf, type OrmPort } from 'svc-orm'
import t from 'tap'
import { notesApp } from './support/notes-app.ts'

const Article = defineEntity({
  name: 'Article',
  schema: { title: { type: 'string' }, body: { type: 'text' }, draft: { type: 'string', hidden: true, nullable: true } }
})
const articles = crud(Article)

@controller('/api/articles')
class Articles {
  readonly #rows

  constructor({ orm }: { orm: OrmPort }) {
    this.#rows = orm.repository(Article)
  }

  @Get('/', { ...articles.routes.list, resource: { name: 'articles', description: 'Articles, in pages.' } })
  @IsGranted('ROLE_USER')
  list(@Query() query: CrudQuery) {
    return articles.page(this.#rows, query)
  }

  @Get('/:id', { ...articles.routes.read, resource: { name: 'article', description: 'One article.' } })
  @IsGranted('ROLE_USER')
  async read(@Param('id') id: string) {
    return articles.found(await this.#rows.findOne({ id }))
  }

  @Get('/editors', { resource: { name: 'editors', description: 'Of editors.' } })
  @IsGranted('ROLE_EDITOR')
  editors() {
    return []
  }

  @Post('/', articles.routes.create)
  add(@Body() body: NewOf<typeof Article>) {
    return this.#rows.create(body)
  }
}

for (const modern of [false, true]) {
  t.test(modern ? 'without a handshake' : 'with a handshake', async (t) => {
    const root = t.testdir({
      prompts: { 'greet.md': '# A greeting\n\nGreets {{name}} for\nthe shop.\n\nHello {{ name }}, {{day}}!' }
    })
    const { app, tokenOf, clientOf } = await notesApp(t, {
      root,
      controllers: [Articles],
      mcp: { prompts: 'prompts' },
      plugins: [[svcOrm, { memory: true, parts: { entities: [Article] } }]]
    })
    const rows = app.orm.repository(Article)
    const { id } = await rows.create({ title: 'a', body: 'text', draft: 'a secret' })
    for (const title of ['b', 'c']) await rows.create({ title, body: 'text', draft: 'a secret' })
    const client = await clientOf(await tokenOf('ann'), { modern })
    const editor = await clientOf(await tokenOf('ed'), { modern })
    const read = async (uri: string) =>
      JSON.parse(String(((await client.readResource({ uri })).contents[0] as { text: string }).text)) as Record<
        string,
        unknown
      >

    await t.test('lists what the caller may read', async (t) => {
      const uris = async (of: typeof client) => (await of.listResources()).resources.map(({ uri }) => uri)
      t.same(await uris(client), ['svc:///api/articles'])
      t.same(await uris(editor), ['svc:///api/articles', 'svc:///api/articles/editors'])
      const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)
      t.ok(templates.includes('svc:///api/articles/{id}'))
      t.match(templates[0], /^svc:\/\/\/api\/articles\{\?.*limit,offset,order\}$/)
    })

    await t.test('pages, and hides what HTTP hides', async (t) => {
      const page = await read('svc:///api/articles?limit=2&order=title:DESC&offset=1')
      t.match(page, { items: [{ title: 'b' }, { title: 'a' }], limit: 2, offset: 1, total: 3, hasNext: false })
      t.notMatch(JSON.stringify(page), /secret/)
      t.same(Object.keys(await read(`svc:///api/articles/${id}`)).sort(), ['body', 'id', 'title'])
    })

    await t.test('refuses what is not there, what is not allowed and what is not asked right', async (t) => {
      for (const uri of [
        'svc:///api/articles/no-such-id',
        'svc:///elsewhere',
        'https://notes.example/api/articles',
        'svc:///api/articles?unknown=1',
        'svc:///api/articles/editors',
        'svc:///api/articles?limit=x'
      ]) {
        await t.rejects(client.readResource({ uri }), uri)
      }
      t.same(
        JSON.parse(
          String(
            ((await editor.readResource({ uri: 'svc:///api/articles/editors' })).contents[0] as { text: string }).text
          )
        ),
        []
      )
    })

    await t.test('prompts have arguments', async (t) => {
      t.same((await client.listPrompts()).prompts, [
        {
          name: 'greet',
          title: 'A greeting',
          description: 'Greets {{name}} for the shop.',
          arguments: [
            { name: 'name', required: true },
            { name: 'day', required: true }
          ]
        }
      ])
      const { messages } = await client.getPrompt({ name: 'greet', arguments: { name: 'Ann $&', day: 'today' } })
      t.match(messages, [{ role: 'user', content: { type: 'text', text: /Hello Ann \$&, today!/ } }])
      await t.rejects(client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } }), /day is missing/)
      await t.rejects(client.getPrompt({ name: 'other' }), /no prompt/)
    })
  })
}
