/** Tools, as the reference client of the protocol sees and calls them. */
import t from 'tap'
import { notesApp, reached } from './support/notes-app.ts'

for (const modern of [false, true]) {
  t.test(modern ? 'the generation without sessions' : 'the generation with a handshake', async (t) => {
    const { tokenOf, clientOf, events } = await notesApp(t)
    const reader = await clientOf(await tokenOf('ann'), { modern })
    const editor = await clientOf(await tokenOf('ed', ['notes:write']), { modern })

    await t.test('lists what the caller may call', async (t) => {
      const names = async (client: typeof reader) => (await client.listTools()).tools.map(({ name }) => name).sort()
      t.same(await names(reader), ['Notes_list', 'read_note'])
      t.same(await names(editor), ['Notes_list', 'add_note', 'change_note', 'read_note', 'remove_note'])
      const { tools } = await editor.listTools()
      const change = tools.find(({ name }) => name === 'change_note')
      t.match(change?.inputSchema, { type: 'object', required: ['id', 'text'], additionalProperties: false })
      t.same(Object.keys(change?.inputSchema.properties ?? {}).sort(), ['body_id', 'id', 'text'])
      t.match(
        tools.find(({ name }) => name === 'read_note'),
        {
          description: 'One note',
          outputSchema: { type: 'object', required: ['id', 'text'] },
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true }
        }
      )
      t.match(
        tools.find(({ name }) => name === 'remove_note'),
        { annotations: { readOnlyHint: false, destructiveHint: true } }
      )
    })

    await t.test('answers with what the route answers', async (t) => {
      const read = await reader.callTool({ name: 'read_note', arguments: { id: 'a/b c' } })
      t.same(read.structuredContent, { id: 'a/b c', text: 'one', owner: 'ann' })
      t.same(read.content, [{ type: 'text', text: JSON.stringify({ id: 'a/b c', text: 'one', owner: 'ann' }) }])
      const list = await reader.callTool({ name: 'Notes_list', arguments: { limit: 1 } })
      t.same(list.structuredContent, { result: [{ id: '1', text: 'one' }] })
      const changed = await editor.callTool({ name: 'change_note', arguments: { id: '7', text: 'new', body_id: '8' } })
      t.same(changed.structuredContent, { id: '7', text: 'new 8' })
      t.same((await editor.callTool({ name: 'remove_note', arguments: { id: '1' } })).content, [])
    })

    await t.test('errors of the house are errors of the tool, with their code', async (t) => {
      const invalid = await editor.callTool({ name: 'add_note', arguments: { text: '' } })
      t.match(invalid, { isError: true, _meta: { 'svc/status': 400 } })
      const unknown = await editor.callTool({ name: 'add_note', arguments: { text: 'x', more: 1 } })
      t.match(unknown, { isError: true, _meta: { 'svc/status': 400, 'svc/code': 'SVC_MCP_ARGUMENTS' } })
      const denied = await reader.callTool({ name: 'change_note', arguments: { id: '1', text: 'x' } })
      t.match(denied, { isError: true, _meta: { 'svc/status': 403 } })
      await t.rejects(reader.callTool({ name: 'no_such_tool', arguments: {} }), /no tool/)
    })

    await t.test('arguments that spell another route reach nothing', async (t) => {
      reached.length = 0
      const other = await reader.callTool({ name: 'read_note', arguments: { id: 'latest' } })
      t.match(other, { isError: true, _meta: { 'svc/status': 404, 'svc/code': 'SVC_MCP_OTHER_ROUTE' } })
      for (const id of ['..', '.', '']) t.ok(await reader.callTool({ name: 'read_note', arguments: { id } }), id)
      t.notOk(reached.includes('latest'))
    })

    await t.test('the journal names the program and the person', async (t) => {
      events.length = 0
      await reader.callTool({ name: 'read_note', arguments: { id: '1' } })
      const called = events.find(({ action }) => action === 'tool.called')
      t.match(called, { outcome: 'success', actor: 'ann', resource: 'read_note', ip: '127.0.0.1' })
      if (modern) t.match(called?.metadata, { client: 'tests/1.2.3', route: 'GET /api/notes/:id', status: 200 })
    })
  })
}
