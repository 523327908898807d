import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import './style/document.css';
import { render } from 'preact';
import { App } from './frame/app.js';

render(<App />, document.getElementById('console') as HTMLElement);
