export { type AgUiTransportOptions, createAgUiTransport } from './ag-ui/create-ag-ui-transport.ts';
