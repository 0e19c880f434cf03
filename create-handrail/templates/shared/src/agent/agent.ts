export { scriptedAgent as agent } from './scripted-agent.ts';
