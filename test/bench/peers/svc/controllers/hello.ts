/** The route for everybody, and the echo over WebSocket. */
import { controller, Get, Message, WebSocket } from 'svc-decorators'

@controller('/public')
export class HelloController {
  @Get('/hello')
  hello(): unknown {
    return { hello: 'world' }
  }

  @WebSocket('/echo')
  echo(@Message() text: string): unknown {
    return { echo: text }
  }
}
