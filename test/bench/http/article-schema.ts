/** The body schema of the POST row, shared by both servers. */
export const articleSchema = {
  body: {
    type: 'object',
    required: ['title', 'body'],
    additionalProperties: false,
    properties: { title: { type: 'string', maxLength: 200 }, body: { type: 'string' } }
  },
  response: { 200: { type: 'object', properties: { title: { type: 'string' }, body: { type: 'string' } } } }
} as const
