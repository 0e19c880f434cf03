/** Reads an operation from an OpenAPI document. `@apidevtools/swagger-parser`, an optional peer, checks the document and follows its references. */
import { AgentChatError, describeThrown, invalidOptions } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/json.ts';

/** A parameter of an operation, as far as a request is made of it. */
export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  /** Each item of a list under the name again, or all in one value. */
  readonly explode: boolean;
  /** `deepObject` writes an object as `name[key]`. */
  readonly style: string;
}

/** The inputs of an operation. */
export interface Operation {
  readonly parameters: readonly OperationParameter[];
  readonly body?: OperationBody;
}

/** The body of an operation. Its fields are arguments that are no parameters. */
export interface OperationBody {
  readonly mediaType: string;
  readonly required: boolean;
  /** The names of its fields. Undefined: its schema does not list them. */
  readonly fields?: readonly string[];
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** @throws AgentChatError `invalid_options` for a document that is none, or an operation that no request can be made for */
export async function readOperation(document: object, path: string, method: string): Promise<Operation> {
  const { paths } = await dereference(document);
  const item = isRecord(paths) && Object.hasOwn(paths, path) ? paths[path] : undefined;
  const operation = isRecord(item) && Object.hasOwn(item, method) ? item[method] : undefined;
  if (!isRecord(item) || !isRecord(operation)) {
    const known = Object.keys(isRecord(paths) ? paths : {}).join(', ');
    throw fault(`has no operation ${method.toUpperCase()} ${path}. Its paths are ${known}`);
  }
  const parameters = new Map<string, OperationParameter>();
  // Those of the operation replace those of its path.
  for (const given of [item.parameters ?? [], operation.parameters ?? []].flat()) {
    const parameter = readParameter(given);
    if (parameter) parameters.set(JSON.stringify([parameter.in, parameter.name]), parameter);
  }
  const body = readBody(operation.requestBody);
  return { parameters: [...parameters.values()], ...(body && { body }) };
}

async function dereference(document: object): Promise<Readonly<Record<string, unknown>>> {
  if (!isRecord(document) || typeof document.openapi !== 'string' || !document.openapi.startsWith('3.')) {
    throw fault(
      `must be OpenAPI 3, not ${isRecord(document) ? String(document.openapi ?? document.swagger) : typeof document}`,
    );
  }
  const parser = await loadParser();
  try {
    // A reference to a file or an address would read what the tool must not.
    const options = { resolve: { external: false } };
    return (await parser.validate(structuredClone(document) as never, options)) as never;
  } catch (thrown) {
    throw fault(`is not valid: ${describeThrown(thrown)}`);
  }
}

async function loadParser() {
  try {
    return (await import('@apidevtools/swagger-parser')).default;
  } catch (cause) {
    const message =
      "createOpenApiTool needs the package '@apidevtools/swagger-parser': npm install @apidevtools/swagger-parser.";
    throw new AgentChatError({ code: 'invalid_options', message, source: 'platform', cause });
  }
}

/** Returns undefined for a header that OpenAPI leaves to the client, and for the one that could name another domain. */
function readParameter(given: unknown): OperationParameter | undefined {
  if (!isRecord(given) || typeof given.name !== 'string') {
    throw fault(`has a parameter that leads out of it: ${JSON.stringify(given)}. Copy it into the document`);
  }
  const {
    name,
    in: place,
    required,
    style = place === 'query' ? 'form' : 'simple',
    explode = style === 'form',
  } = given;
  if (place === 'header' && /^(accept|content-type|authorization|host)$/i.test(name)) return undefined;
  if (place !== 'path' && place !== 'query' && place !== 'header') {
    throw fault(
      `has the parameter ${name} in ${String(place)}; a tool sends parameters in path, query and header`,
    );
  }
  return { name, in: place, required: required === true, style: String(style), explode: explode === true };
}

function readBody(given: unknown): OperationBody | undefined {
  if (!isRecord(given)) return undefined;
  const content = isRecord(given.content) ? given.content : {};
  const mediaType = [JSON_TYPE, FORM_TYPE].find((type) => Object.hasOwn(content, type));
  if (mediaType === undefined) {
    const types = Object.keys(content).join(', ') || 'no type';
    throw fault(`has a body of ${types}; a tool sends ${JSON_TYPE} or ${FORM_TYPE}`);
  }
  const { schema } = content[mediaType] as { readonly schema?: { readonly properties?: object } };
  const fields = schema?.properties && Object.keys(schema.properties);
  return { mediaType, required: given.required === true, ...(fields && { fields }) };
}

function fault(text: string): AgentChatError {
  return invalidOptions(`createOpenApiTool: the document ${text}.`);
}
